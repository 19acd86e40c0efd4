#pragma once
#include <stdlib.h>
void *memalign(size_t, size_t);
void *valloc(size_t);
size_t malloc_usable_size(void *);
