/* Particles as a struct of arrays. */
#include <stdlib.h>

struct particles {
    int count;
    double *x, *y, *vx, *vy;
};

void move(struct particles *p, double dt)
{
    for (int i = 0; i < p->count; i++) {
        p->x[i] += dt * p->vx[i];
        p->y[i] += dt * p->vy[i];
    }
}

double energy(const struct particles *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->count; i++)
        sum += p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i];
    return 0.5 * sum;
}
