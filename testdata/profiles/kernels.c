/* Loops and branches that data decide. Every access goes through AT, which counts it for itself in a
   build with -DCOUNTING: that is what estimates from a profile are compared with. */
#include "kernels.h"

/* Arms on lines of their own, on the line of their condition, and behind a jump. */
double arms(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        if (AT(a, i) > 0.3)
            s += AT(b, i) * 2.0;
        else
            s -= AT(c, i);
    for (int i = 0; i < n; i++)
        if (AT(d, i) > 0.6) s += AT(e, i);
    for (int i = 0; i < n; i++) {
        if (AT(f, i) > 0.9)
            continue;
        s += AT(g, i) * 3.0;
    }
    return s;
}

/* A compressed matrix: the length of a row is data. */
void rows(int n)
{
    for (int i = 0; i < n; i++) {
        double t = 0;
        for (int k = AT(first, i); k < AT(last, i); k++)
            t += AT(value, k) * AT(x, AT(column, k));
        AT(y, i) = t;
    }
}

/* A loop whose length is known in one that runs an unknown number of times. */
void halves(int n)
{
    for (int i = 0; i < n; i++) {
        double v = AT(h, i);
        while (v > 0.1) {
            for (int j = 0; j < 4; j++)
                AT(o, j) += v * 2.0;
            v = v * 0.5;
        }
    }
}

/* A loop that a jump leaves. */
double search(int n, double key)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += AT(p, i);
        if (AT(q, i) > key)
            break;
        s += AT(r, i) * 2.0;
    }
    return s;
}

/* Tests that are accesses, before and after each iteration. */
int scans(void)
{
    int k = 0;
    while (AT(t, k) < 0.95)
        k++;
    do {
        AT(u, k) += 1.0;
        k--;
    } while (AT(v, k) < 0.8);
    return k;
}

/* A condition of two parts, of which the second is not always evaluated. */
double both(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        if (AT(ba, i) > 0.2 && AT(bb, i) < 0.9)
            s += AT(bc, i);
    return s;
}

static double weight(int i)
{
    if (AT(w, i) > 0.5)
        return AT(z, i);
    return 0;
}

/* Branches of a function that is called twice. */
double weights(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += weight(i);
    for (int i = 0; i < n; i++)
        s += weight(i);
    return s;
}

/* Never reached with the data of main.c. */
double rare(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        if (AT(aa, i) > 2.0)
            while (s < AT(ab, i))
                s += 1.0;
    return s;
}
