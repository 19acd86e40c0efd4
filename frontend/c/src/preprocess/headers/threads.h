#pragma once
#include <time.h>
#define thread_local _Thread_local
typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
int thrd_create(thrd_t *, thrd_start_t, void *);
int thrd_join(thrd_t, int *);
