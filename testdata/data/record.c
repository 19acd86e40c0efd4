/* Counts what the kernels here do to their arrays with real data: every access that gcc's instrumentation for its thread
   sanitizer reports is passed on to a cache of 4 KiB, with 64 lines of 64 bytes in 8 sets of 8 ways, by LRU. Arrays lie where the
   access model places them. `sh record.sh` writes the table `testdata/truth/data_bounds.csv`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double c, n, e, s, w, ne, se, sw, nw; } cell;
void lbm(int, const int *, const cell *, cell *);
void life(int, const int *, int *);
int jacobi(int, double, double *, double *, const double *);
void lu_pivot(int, double *, int *);
void linear_search(int, int, const int *, const int *, int *);
void binary_search(int, int, const double *, const double *, int *);
void threshold(int, double, const double *, unsigned char *);
void histogram(int, const unsigned char *, int *);
int compact(int, const double *, double *);
int components(int, const int *, int *);
void insertion_sort(int, double *);

enum { SETS = 8, WAYS = 8, LINE = 64, MOST = 8 };
static struct { uintptr_t start, bytes, base; } arrays[MOST];
static int n_arrays;
static uintptr_t next_base;
static uintptr_t cache[SETS][WAYS];
static long accesses, misses;

static void begin(void)
{
    n_arrays = 0;
    next_base = 0x100000;
    memset(cache, 0, sizeof cache);
    accesses = misses = 0;
}

static void *array(size_t bytes)
{
    void *start = calloc(1, bytes);
    arrays[n_arrays].start = (uintptr_t)start;
    arrays[n_arrays].bytes = bytes;
    arrays[n_arrays++].base = next_base;
    next_base += (bytes + 4095) / 4096 * 4096;
    return start;
}

static int touch(uintptr_t line)
{
    uintptr_t *set = cache[line % SETS];
    int way = 0;
    while (way < WAYS && set[way] != line)
        way++;
    int hit = way < WAYS;
    for (way = hit ? way : WAYS - 1; way > 0; way--)
        set[way] = set[way - 1];
    set[0] = line;
    return !hit;
}

static void access(void *p, uintptr_t size)
{
    uintptr_t at = (uintptr_t)p;
    for (int k = 0; k < n_arrays; k++)
        if (at - arrays[k].start < arrays[k].bytes) {
            uintptr_t first = at - arrays[k].start + arrays[k].base, missed = 0;
            for (uintptr_t line = first / LINE; line <= (first + size - 1) / LINE; line++)
                missed |= touch(line);
            accesses++;
            misses += missed;
        }
}

void __tsan_init(void) {}
void __tsan_func_entry(void *p) { (void)p; }
void __tsan_func_exit(void) {}
void __tsan_read1(void *p) { access(p, 1); }
void __tsan_read2(void *p) { access(p, 2); }
void __tsan_read4(void *p) { access(p, 4); }
void __tsan_read8(void *p) { access(p, 8); }
void __tsan_write1(void *p) { access(p, 1); }
void __tsan_write2(void *p) { access(p, 2); }
void __tsan_write4(void *p) { access(p, 4); }
void __tsan_write8(void *p) { access(p, 8); }

static unsigned long long state = 1;
static unsigned chance(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % below;
}
static double number(void) { return chance(1000001) / 500000.0 - 1; }

static void end(const char *kernel, const char *sizes)
{
    printf("%s,%s,%ld,%ld\n", kernel, sizes, accesses, misses);
}

int main(void)
{
    puts("kernel,sizes,accesses,misses");
    begin();
    {
        int n = 4096, *obstacle = array(4 * n);
        cell *from = array(sizeof *from * n), *to = array(sizeof *to * n);
        for (int i = 0; i < n; i++) {
            obstacle[i] = chance(20) == 0;
            double *x = &from[i].c;
            for (int k = 0; k < 9; k++)
                x[k] = 1 + 0.1 * number();
        }
        lbm(n, obstacle, from, to);
        end("lbm", "n=4096");
    }
    begin();
    {
        int n = 128, *now = array(4 * n * n), *next = array(4 * n * n);
        for (int i = 0; i < n * n; i++)
            now[i] = chance(3) == 0;
        life(n, now, next);
        end("life", "n=128");
    }
    begin();
    {
        int n = 1000;
        double *x = array(8 * n), *y = array(8 * n), *b = array(8 * n);
        for (int i = 0; i < n; i++)
            b[i] = number();
        int it = jacobi(n, 1e-3, x, y, b);
        fprintf(stderr, "jacobi: %d sweeps\n", it);
        end("jacobi", "n=1000");
    }
    begin();
    {
        int n = 48;
        double *a = array(8 * n * n);
        int *pivot = array(4 * n);
        for (int i = 0; i < n * n; i++)
            a[i] = number();
        lu_pivot(n, a, pivot);
        end("lu_pivot", "n=48");
    }
    begin();
    {
        int m = 100, n = 600, *keys = array(4 * m), *list = array(4 * n), *places = array(4 * m);
        for (int i = 0; i < n; i++)
            list[i] = 7 * i;
        for (int q = 0; q < m; q++)
            keys[q] = 7 * (int)(249 + chance(301));
        linear_search(m, n, keys, list, places);
        end("linear_search", "m=100 n=600");
    }
    begin();
    {
        int m = 1024, n = 200;
        double *keys = array(8 * m), *sorted = array(8 * n);
        int *places = array(4 * m);
        for (int i = 0; i < n; i++)
            sorted[i] = (2.0 * i - n) / n;
        for (int q = 0; q < m; q++)
            keys[q] = number();
        binary_search(m, n, keys, sorted, places);
        end("binary_search", "m=1024 n=200");
    }
    begin();
    {
        int n = 10000;
        double *grey = array(8 * n);
        unsigned char *white = array(n);
        for (int i = 0; i < n; i++)
            grey[i] = number();
        threshold(n, 0.2, grey, white);
        end("threshold", "n=10000");
    }
    begin();
    {
        int n = 20000;
        unsigned char *bytes = array(n);
        int *counts = array(4 * 256);
        for (int i = 0; i < n; i++)
            bytes[i] = chance(16) * chance(17);
        histogram(n, bytes, counts);
        end("histogram", "n=20000");
    }
    begin();
    {
        int n = 240;
        double *a = array(8 * n), *b = array(8 * n);
        for (int i = 0; i < n; i++)
            a[i] = number();
        compact(n, a, b);
        end("compact", "n=240");
    }
    begin();
    {
        int n = 100, *set = array(4 * n * n), *label = array(4 * n * n);
        for (int i = 0; i < n * n; i++) {
            set[i] = chance(3) != 0;
            label[i] = set[i] ? i : n * n;
        }
        components(n, set, label);
        end("components", "n=100");
    }
    begin();
    {
        int n = 1000;
        double *a = array(8 * n);
        for (int i = 0; i < n; i++)
            a[i] = number();
        insertion_sort(n, a);
        end("insertion_sort", "n=1000");
    }
    return 0;
}
