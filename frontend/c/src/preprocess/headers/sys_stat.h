#pragma once
#include <sys/types.h>
#include <time.h>
struct stat {
  dev_t st_dev; ino_t st_ino; nlink_t st_nlink; mode_t st_mode; uid_t st_uid; gid_t st_gid; int __pad; dev_t st_rdev;
  off_t st_size; blksize_t st_blksize; blkcnt_t st_blocks;
  struct timespec st_atim; struct timespec st_mtim; struct timespec st_ctim; long __reserved[3];
};
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
int stat(const char *, struct stat *);
int fstat(int, struct stat *);
int mkdir(const char *, mode_t);
