#pragma once
#include <stdint.h>
typedef _Bool atomic_bool;
typedef int atomic_int;
typedef unsigned int atomic_uint;
typedef long atomic_long;
typedef unsigned long atomic_ulong;
typedef long long atomic_llong;
typedef unsigned long long atomic_ullong;
typedef unsigned long atomic_size_t;
typedef enum { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst } memory_order;
#define ATOMIC_VAR_INIT(value) (value)
#define atomic_init(object, value) (*(object) = (value))
#define atomic_load(object) (*(object))
#define atomic_store(object, value) (*(object) = (value))
#define atomic_fetch_add(object, value) (*(object) += (value))
#define atomic_fetch_sub(object, value) (*(object) -= (value))
