// More calls than are followed: each level calls the next one many times. // rejects: budget-exhausted
void a0(int n, double *x) { for (int i = 0; i < n; i++) x[i] = 0.0; }
#define MANY(f, n, x) f(n, x); f(n, x); f(n, x); f(n, x); f(n, x); f(n, x); f(n, x); f(n, x);
void a1(int n, double *x) { MANY(a0, n, x) MANY(a0, n, x) }
void a2(int n, double *x) { MANY(a1, n, x) MANY(a1, n, x) }
void a3(int n, double *x) { MANY(a2, n, x) MANY(a2, n, x) }
void a4(int n, double *x) { MANY(a3, n, x) MANY(a3, n, x) }
void a5(int n, double *x) { for (int i = 0; i < n; i++) { MANY(a4, n, x) MANY(a4, n, x) } }
