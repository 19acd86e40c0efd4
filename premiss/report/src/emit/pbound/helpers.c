/* Notes what runs at a place: integers loaded and stored, real numbers loaded and stored, operations on integers
 * and on real numbers. */
static void pbound_log(const char *where, pbound_wide il, pbound_wide is, pbound_wide fl, pbound_wide fs,
                       pbound_wide io, pbound_wide fo)
{
    const pbound_wide row[6] = {il, is, fl, fs, io, fo};
    pbound_note(where, 1, row);
}

/* Notes what runs between not at all and so often, as data decide. */
static void pbound_log_possible(const char *where, pbound_wide il, pbound_wide is, pbound_wide fl, pbound_wide fs,
                                pbound_wide io, pbound_wide fo)
{
    const pbound_wide row[6] = {il, is, fl, fs, io, fo};
    pbound_note(where, 0, row);
}

/* Notes that nobody knows what else runs at a place. */
static void pbound_left_out(const char *where, const char *why)
{
    pbound_site(where)->left_out = why;
}

static void pbound_require(int holds, const char *why)
{
    if (!holds)
        pbound_fail(why);
}

static pbound_wide pbound_positive(pbound_wide x)
{
    return x < 0 ? 0 : x;
}

/* floor(a / b), b positive */
static pbound_wide pbound_floor(pbound_wide a, pbound_wide b)
{
    return a / b - (a % b < 0);
}

static pbound_wide pbound_divided(pbound_wide a, pbound_wide b)
{
    if (a % b != 0)
        pbound_fail("a sum is no integer");
    return a / b;
}

/* Sums, differences and products that fit 64 bits. */
#ifdef __SIZEOF_INT128__
static pbound_wide pbound_fit(pbound_wide x)
{
    if (x < INT64_MIN || INT64_MAX < x)
        pbound_fail("a number does not fit 64 bits");
    return x;
}
#endif

#ifdef __SIZEOF_INT128__
#define pbound_add(a, b) pbound_fit((pbound_wide)(a) + (b))
#else
static pbound_wide pbound_add(pbound_wide a, pbound_wide b)
{
    if (b < 0 ? a < INT64_MIN - b : INT64_MAX - b < a)
        pbound_fail("a number does not fit 64 bits");
    return a + b;
}
#endif

#ifdef __SIZEOF_INT128__
#define pbound_sub(a, b) pbound_fit((pbound_wide)(a) - (b))
#else
static pbound_wide pbound_sub(pbound_wide a, pbound_wide b)
{
    if (b < 0 ? INT64_MAX + b < a : a < INT64_MIN + b)
        pbound_fail("a number does not fit 64 bits");
    return a - b;
}
#endif

#ifdef __SIZEOF_INT128__
#define pbound_mul(a, b) pbound_fit((pbound_wide)(a) * (b))
#else
static pbound_wide pbound_mul(pbound_wide a, pbound_wide b)
{
    if (a == 0 || b == 0)
        return 0;
    if (a == INT64_MIN || b == INT64_MIN || INT64_MAX / (a < 0 ? -a : a) < (b < 0 ? -b : b))
        pbound_fail("a number does not fit 64 bits");
    return a * b;
}
#endif

static void pbound_step(void)
{
    static uint64_t steps;
    if (PBOUND_MOST_STEPS < ++steps)
        pbound_fail("more iterations than PBOUND_MOST_STEPS; compile with a larger one");
}

/* The number of a type of so many bits that leaves the same remainder; unsigned ones of 64 bits as signed. */
static pbound_wide pbound_wrap(pbound_wide x, int bits, int is_signed)
{
    uint64_t low = (uint64_t)x;
    if (bits < 64) {
        uint64_t range = (uint64_t)1 << bits;
        low &= range - 1;
        if (is_signed && range / 2 <= low)
            return (pbound_wide)(int64_t)low - (pbound_wide)(int64_t)range;
        return (pbound_wide)low;
    }
    return low <= INT64_MAX ? (pbound_wide)low : -(pbound_wide)(UINT64_MAX - low) - 1;
}

/* A number as an unsigned one of 64 bits, which is too large to count with where it is negative. */
static pbound_wide pbound_unsigned(pbound_wide x)
{
    if (x < 0)
        pbound_fail("an unsigned number is 2^63 or more");
    return x;
}

static pbound_wide pbound_entry(const int64_t *entries, pbound_wide length, pbound_wide index)
{
    if (index < 0 || length <= index)
        pbound_fail("a table has no such entry");
    return entries[index];
}

static pbound_wide pbound_quotient(pbound_wide a, pbound_wide b)
{
    if (b == 0 || (a == INT64_MIN && b == -1))
        pbound_fail("a quotient is not defined");
    return a / b;
}

static pbound_wide pbound_remainder(pbound_wide a, pbound_wide b)
{
    if (b == 0)
        pbound_fail("a remainder is not defined");
    return b == -1 ? 0 : a % b;
}

static pbound_wide pbound_min(pbound_wide a, pbound_wide b)
{
    return a < b ? a : b;
}

static pbound_wide pbound_max(pbound_wide a, pbound_wide b)
{
    return a < b ? b : a;
}

/* a * 2^b */
static pbound_wide pbound_shift_left(pbound_wide a, pbound_wide b)
{
    if (b < 0 || 63 < b)
        pbound_fail("a shift is not defined");
    for (; 0 < b; b--)
        a = pbound_mul(a, 2);
    return a;
}

/* floor(a / 2^b) */
static pbound_wide pbound_shift_right(pbound_wide a, pbound_wide b)
{
    if (b < 0 || 63 < b)
        pbound_fail("a shift is not defined");
    for (; 0 < b; b--)
        a = a / 2 - (a % 2 < 0);
    return a;
}

/* How often a loop runs: v = first; v < bound; v += step, and so on. */
enum pbound_comparison { PBOUND_LT, PBOUND_LE, PBOUND_GT, PBOUND_GE, PBOUND_NE };
static pbound_wide pbound_trips(pbound_wide first, enum pbound_comparison comparison, pbound_wide bound,
                                pbound_wide step)
{
    pbound_wide way = pbound_sub(bound, first);
    if (comparison == PBOUND_NE) {
        if (way == 0)
            return 0;
        if (step == 0 || way % step != 0 || way / step < 0)
            pbound_fail("a loop never ends");
        return way / step;
    }
    if (comparison == PBOUND_GT || comparison == PBOUND_GE) {
        way = pbound_sub(0, way);
        step = pbound_sub(0, step);
    }
    if (comparison == PBOUND_LE || comparison == PBOUND_GE)
        way = pbound_add(way, 1);
    if (way <= 0)
        return 0;
    if (step <= 0)
        pbound_fail("a loop never ends");
    return (way - 1) / step + 1;
}
