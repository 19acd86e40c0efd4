// Jacobi's method until it converges: how often it sweeps, a comment bounds.
int jacobi(int n, double tolerance, double *restrict x, double *restrict y, const double *restrict b)
{
    int it = 0;
    double change = 2 * tolerance;
    // premiss:assume trips 40..60
    while (change > tolerance) {
        change = 0;
        for (int i = 1; i < n - 1; i++) {
            y[i] = 0.5 * (b[i] + 0.9 * (x[i - 1] + x[i + 1]));
            double d = y[i] - x[i];
            change += d * d;
        }
        for (int i = 1; i < n - 1; i++)
            x[i] = y[i];
        it++;
    }
    return it;
}
