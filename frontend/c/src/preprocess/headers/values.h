#pragma once
#include <limits.h>
#include <float.h>
#define MAXINT INT_MAX
#define MININT INT_MIN
#define MAXDOUBLE DBL_MAX
#define MINDOUBLE DBL_MIN
#define MAXFLOAT FLT_MAX
#define MINFLOAT FLT_MIN
