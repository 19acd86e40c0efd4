#define LEVEL 1
