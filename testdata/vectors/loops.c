/* Innermost loops, each with what it may be as a vector: `vector:` in the line of its header. */
#include <math.h>

#define N 60

static double a[N + 8], b[N + 8], c[N + 8], m[N + 8][N + 8], q[N + 8][N + 8];
static float f[N + 8], g[N + 8];
static int k[N + 8], count[N + 8];

void axpy(int n, double alpha, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) /* vector: yes */
        y[i] += alpha * x[i];
}

double dot(int n, const double *x, const double *y)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* vector: reduction of s */
        s += x[i] * y[i];
    return s;
}

double several(void)
{
    double s = 0, p = 1, t = 0, greatest = a[0];
    for (int i = 0; i < N; i++) { /* vector: reduction of greatest, p, s */
        s = s + a[i] * b[i] - c[i];
        p = a[i] * p;
        greatest = fmax(greatest, a[i]);
        t = 2 * b[i];
    }
    return s + p + greatest + t;
}

void prefix(void)
{
    for (int i = 1; i < N; i++) /* vector: no: flow 1 */
        a[i] = a[i] + a[i - 1];
}

void four_apart(void)
{
    for (int i = 4; i < N; i++) /* vector: yes, at most 4 */
        a[i] = a[i - 4] + 1;
}

void forward_anti(void)
{
    for (int i = 0; i < N; i++) /* vector: yes */
        a[i] = a[i + 1] + 1;
}

void backward_anti(void)
{
    for (int i = 0; i < N; i++) { /* vector: no: anti 1 */
        a[i] = c[i];
        b[i] = a[i + 1];
    }
}

void forward_flow(void)
{
    for (int i = 1; i < N; i++) { /* vector: yes */
        a[i] = c[i];
        b[i] = a[i - 1];
    }
}

void backward_output(void)
{
    for (int i = 0; i < N; i++) { /* vector: no: output 1 */
        a[i] = b[i];
        a[i + 1] = c[i];
    }
}

void downward(void)
{
    for (int i = N - 1; i >= 0; i--) /* vector: no: flow 1 */
        a[i] = a[i + 1] * 0.5;
    for (int i = N - 1; 0 < i; i--) /* vector: yes */
        a[i] = a[i - 1] * 0.5;
}

void by_two(void)
{
    for (int i = 2; i < N; i += 2) /* vector: yes */
        a[i] = a[i - 1] + 1;
    for (int i = 6; i < N; i += 2) /* vector: yes, at most 3 */
        a[i] = a[i - 6] + 1;
}

void scatter(void)
{
    for (int i = 0; i < N; i++) /* vector: no: scatter */
        count[k[i]] += 1;
}

void gather(void)
{
    for (int i = 0; i < N; i++) /* vector: yes */
        a[i] = b[k[i]];
}

void gather_from_stored(void)
{
    for (int i = 0; i < N; i++) /* vector: no: gather */
        a[i] = a[k[i]];
}

void recurrence(double p)
{
    for (int i = 0; i < N; i++) { /* vector: no: scalar p */
        double t = a[i];
        a[i] = p;
        p = t;
    }
}

void private_scalar(void)
{
    double t;
    for (int i = 0; i < N; i++) { /* vector: yes */
        t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

double horner(double x)
{
    double s = 0;
    for (int i = 0; i < N; i++) /* vector: no: scalar s */
        s = s * x + a[i];
    return s;
}

double running_sum(void)
{
    double s = 0;
    for (int i = 0; i < N; i++) /* vector: no: scalar s */
        b[i] = s += a[i];
    return s;
}

double kept_in_an_arm(void)
{
    double t = 0, s = 0;
    for (int i = 0; i < N; i++) { /* vector: no: scalar t */
        if (a[i] > 0)
            t = b[i];
        s += t;
    }
    return s;
}

void guarded(void)
{
    for (int i = 0; i < N; i++) /* vector: yes, masked */
        if (a[i] > 0)
            b[i] = sqrt(a[i]);
}

double guarded_sum(void)
{
    double s = 0;
    for (int i = 0; i < N; i++) /* vector: reduction of s, masked */
        if (a[i] > 0)
            s += a[i];
    return s;
}

void guarded_by_iterator(void)
{
    for (int i = 1; i < N; i++) /* vector: no: flow 1 */
        if (i < 5)
            a[i] = a[i - 1];
}

void jacobi(void)
{
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++) /* vector: yes */
            q[i][j] = m[i][j - 1] + m[i][j + 1] + m[i - 1][j] + m[i + 1][j];
}

void seidel(void)
{
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++) /* vector: no: flow 1 */
            m[i][j] = m[i][j - 1] + m[i][j + 1] + m[i - 1][j] + m[i + 1][j];
}

void triangular_solve(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) /* vector: reduction of a[i] */
            a[i] -= m[i][j] * a[j];
        a[i] = a[i] / m[i][i];
    }
}

void triangular_columns(void)
{
    for (int j = 0; j < N; j++)
        for (int i = j + 1; i < N; i++) /* vector: yes */
            a[i] -= m[i][j] * a[j];
}

void product(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int l = 0; l < N; l++) /* vector: reduction of q[i][j] */
                q[i][j] = q[i][j] + m[i][l] * m[l][j];
}

void watched_sum(void)
{
    for (int i = 0; i < N; i++) { /* vector: no: flow 1 */
        a[0] += b[i];
        c[i] = a[0];
    }
}

void one_element(void)
{
    for (int i = 0; i < N; i++) /* vector: no: output 1 */
        a[0] = b[i];
}

void until(void)
{
    for (int i = 0; i < N; i++) { /* vector: no: ends by data */
        if (a[i] > 0)
            break;
        b[i] = 0;
    }
    int i = 0;
    while (a[i] > 0) { /* vector: no: ends by data */
        b[i] = 1;
        i++;
    }
}

void skipping(void)
{
    for (int i = 0; i < N; i++) { /* vector: yes, masked */
        if (a[i] > 0)
            continue;
        b[i] = 0;
    }
}

double elsewhere(double);

void calls(void)
{
    for (int i = 0; i < N; i++) /* vector: no: call elsewhere */
        a[i] = elsewhere(a[i]);
    for (int i = 0; i < N; i++) /* vector: yes */
        a[i] = exp(b[i]) + sin(c[i]);
    for (int i = 0; i < N; i++) /* vector: no: call tgamma */
        a[i] = tgamma(b[i]);
}

static double last;

static double before(double x)
{
    double old = last;
    last = x;
    return old;
}

static double twice(double x)
{
    double two = x;
    two += x;
    return two;
}

void followed(void)
{
    for (int i = 0; i < N; i++) /* vector: no: scalar last */
        a[i] = before(b[i]);
    for (int i = 0; i < N; i++) /* vector: yes */
        a[i] = twice(b[i]);
}

void steps(int n, int stride, double *restrict x, const double *restrict y)
{
    int at = 0;
    for (int i = 0; i < n; i++) { /* vector: yes */
        x[i] = y[at];
        at += stride;
    }
}

int compaction(void)
{
    int n = 0;
    for (int i = 0; i < N; i++) /* vector: no: scalar n */
        if (a[i] > 0)
            b[n++] = a[i];
    return n;
}

void pointers(int n, double *restrict x, const double *restrict y)
{
    for (int i = 0; i < n; i++) /* vector: yes */
        *x++ = 2 * *y++;
}

void sparse(int n, const int *row, const int *column, const double *v, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = row[i]; j < row[i + 1]; j++) /* vector: reduction of s */
            s += v[j] * x[column[j]];
        y[i] = s;
    }
}

void single_precision(void)
{
    for (int i = 8; i < N; i++) /* vector: yes, at most 8 */
        f[i] = f[i - 8] * g[i];
}

struct sum {
    double low, high;
};

double members(void)
{
    struct sum s;
    s.low = 0;
    s.high = 0;
    for (int i = 0; i < N; i++) { /* vector: no: scalar s */
        double old = s.high;
        s.high = s.high + a[i];
        s.low += a[i] - (s.high - old);
    }
    return s.low;
}
