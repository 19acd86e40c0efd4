#pragma once
#include <stddef.h>
void *_mm_malloc(size_t, size_t);
void _mm_free(void *);
