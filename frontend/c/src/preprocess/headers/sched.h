#pragma once
#include <sys/types.h>
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define CPU_SETSIZE 1024
struct sched_param { int sched_priority; };
typedef struct { unsigned long __bits[16]; } cpu_set_t;
#define CPU_ZERO(set) ((void)(set))
#define CPU_SET(cpu, set) ((void)(cpu), (void)(set))
#define CPU_CLR(cpu, set) ((void)(cpu), (void)(set))
#define CPU_ISSET(cpu, set) ((void)(cpu), (void)(set), 0)
int sched_setscheduler(pid_t, int, const struct sched_param *);
int sched_getscheduler(pid_t);
int sched_get_priority_max(int);
int sched_get_priority_min(int);
int sched_setaffinity(pid_t, size_t, const cpu_set_t *);
int sched_getaffinity(pid_t, size_t, cpu_set_t *);
int sched_getcpu(void);
int sched_yield(void);
