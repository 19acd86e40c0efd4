#pragma once
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#define _SC_CLK_TCK 2
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _POSIX_VERSION 200809L
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
int getopt(int, char *const *, const char *);
int access(const char *, int);
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
off_t lseek(int, off_t, int);
int unlink(const char *);
unsigned int sleep(unsigned int);
int usleep(unsigned int);
long sysconf(int);
pid_t getpid(void);
pid_t fork(void);
int gethostname(char *, size_t);
void _exit(int);
