// A step of a lattice Boltzmann method (D2Q9): cells with an obstacle send back what reaches them, the others collide.
typedef struct { double c, n, e, s, w, ne, se, sw, nw; } cell;

void lbm(int n, const int *restrict obstacle, const cell *restrict from, cell *restrict to)
{
    for (int i = 0; i < n; i++) {
        if (obstacle[i]) {
            to[i].n = from[i].s;
            to[i].s = from[i].n;
            to[i].e = from[i].w;
            to[i].w = from[i].e;
            to[i].ne = from[i].sw;
            to[i].sw = from[i].ne;
            to[i].se = from[i].nw;
            to[i].nw = from[i].se;
        } else {
            double rho = from[i].c + from[i].n + from[i].e + from[i].s + from[i].w
                + from[i].ne + from[i].se + from[i].sw + from[i].nw;
            double ux = (from[i].e + from[i].ne + from[i].se - from[i].w - from[i].nw - from[i].sw) / rho;
            double uy = (from[i].n + from[i].ne + from[i].nw - from[i].s - from[i].se - from[i].sw) / rho;
            double sq = 1 - 1.5 * (ux * ux + uy * uy);
            to[i].c = from[i].c + 0.6 * (4.0 / 9 * rho * sq - from[i].c);
            to[i].n = from[i].n + 0.6 * (1.0 / 9 * rho * (sq + 3 * uy) - from[i].n);
            to[i].s = from[i].s + 0.6 * (1.0 / 9 * rho * (sq - 3 * uy) - from[i].s);
            to[i].e = from[i].e + 0.6 * (1.0 / 9 * rho * (sq + 3 * ux) - from[i].e);
            to[i].w = from[i].w + 0.6 * (1.0 / 9 * rho * (sq - 3 * ux) - from[i].w);
            to[i].ne = from[i].ne + 0.6 * (1.0 / 36 * rho * (sq + 3 * (ux + uy)) - from[i].ne);
            to[i].sw = from[i].sw + 0.6 * (1.0 / 36 * rho * (sq - 3 * (ux + uy)) - from[i].sw);
            to[i].se = from[i].se + 0.6 * (1.0 / 36 * rho * (sq + 3 * (ux - uy)) - from[i].se);
            to[i].nw = from[i].nw + 0.6 * (1.0 / 36 * rho * (sq - 3 * (ux - uy)) - from[i].nw);
        }
    }
}
