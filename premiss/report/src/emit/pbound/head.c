#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers; PBOUND_LIMIT chooses the largest one whose products fit. */
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 pbound_wide;
#define PBOUND_LIMIT(of_64, of_128) ((pbound_wide)of_128)
#else
typedef int64_t pbound_wide;
#define PBOUND_LIMIT(of_64, of_128) ((pbound_wide)of_64)
#endif

/* Loops that stay go through at most so many iterations. */
#ifndef PBOUND_MOST_STEPS
#define PBOUND_MOST_STEPS 10000000000
#endif

/* What was noted of one place: the least and the most that runs there. */
struct pbound_site {
    const char *where;
    const char *left_out; /* why nobody knows what else runs there */
    uint64_t least[6];
    uint64_t most[6];
};

static struct pbound_site pbound_sites[PBOUND_SITES];
static int pbound_n_sites;

/* Every error ends here: no number is printed that is not right. */
static void pbound_fail(const char *why)
{
    fflush(stdout);
    fprintf(stderr, "pbound: %s\n", why);
    exit(2);
}

static struct pbound_site *pbound_site(const char *where)
{
    for (int i = 0; i < pbound_n_sites; i++)
        if (pbound_sites[i].where == where || strcmp(pbound_sites[i].where, where) == 0)
            return &pbound_sites[i];
    if (pbound_n_sites == PBOUND_SITES)
        pbound_fail("more places than PBOUND_SITES");
    pbound_sites[pbound_n_sites].where = where;
    return &pbound_sites[pbound_n_sites++];
}

static void pbound_count(uint64_t *sum, uint64_t more)
{
    if (UINT64_MAX - *sum < more)
        pbound_fail("a count does not fit 64 bits");
    *sum += more;
}

static void pbound_note(const char *where, int is_certain, const pbound_wide *row)
{
    struct pbound_site *site = pbound_site(where);
    for (int i = 0; i < 6; i++) {
        if (row[i] < 0 || (pbound_wide)(uint64_t)row[i] != row[i])
            pbound_fail("a count does not fit 64 bits");
        if (is_certain)
            pbound_count(&site->least[i], (uint64_t)row[i]);
        pbound_count(&site->most[i], (uint64_t)row[i]);
    }
}
