/* One function a construct; programs.txt has the tree of each. */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
static double *alloc(int n){ double *p = malloc(n*sizeof(double)); if (!p) { fprintf(stderr,"x"); exit(1);} return p; }
double *g; double G[10][20]; const int N = 50; int M = 7; static int K;
void k1(size_t n, double *a){ for (size_t i = n; i-- > 0;) a[i] = a[i-1]; }
void k2(unsigned n, double *a){ for (unsigned i = n-1; i < n; i--) a[i] = 0; }
void k3(unsigned n, double *a){ unsigned i = n; while (i--) a[i] = 0; a[i] = 1; }
void k4(double *a, double *b, int n){ for (int t=0;t<10;t++){ for(int i=0;i<n;i++) a[i]=b[i]; double *tmp=a;a=b;b=tmp; } }
void k5(double *a, int n){ double *p = a; for (int i=0;i<n;i++) *p++ += 1; for (double *q=a; q<a+n; q+=2) *q = 0; }
void k6(int n){ double *A = alloc(n*n), *B = alloc(n); for(int i=0;i<n;i++){ double *row=&A[i*n]; for(int j=0;j<n;j++) row[j]=B[j]; } free(A); free(B);}
void k7(int n, double a[n][n], int *idx){ for(int i=0;i<n;i++) a[i][idx[i]] += a[idx[i]][i]; }
void k8(double *x, int n){ for(int i=0;i<n;i++){ if (x[i]<0) continue; x[i]=1; } for (int i=0;i<n;i++){ if (x[i]==3) break; } for(int i=0;i<n;i++) x[i]=2; }
int find(double *x, int n, double v){ for(int i=0;i<n;i++) if (x[i]==v) return i; return -1; }
void k9(double *x, int n){ int p = find(x, n, 3.0); x[p] = 1; for (int i=0;i<p;i++) x[i]=0; for (int i=0;i<M;i++) G[i][i] = g[i] + N + K; }
void k10(double *x, double *y, int n){ memcpy(x, y, n*sizeof(double)); memset(G, 0, sizeof G); for(int i=0;i<n;i++) x[i] = y[i]; }
void ext(double*); 
void k11(double *x, int n){ for (int i=0;i<n;i++){ ext(x+i); x[i]=1; } }
void k12(double (*A)[N], int n){ for (int i=0;i<n && i<N;i++) for(int j=i; j<=2*i+1 && j<n; j+=2) A[i][j]=A[j][i]; }
struct s { double v[4]; int n; }; struct p { double x,y,z; };
void k13(struct s *s, struct p *q, int n){ struct p t; for (int i=0;i<n;i++){ q[i].x += s[i].v[2]; t = q[i]; q[i+1]=t; s->n++; } }
void k14(int n, float *x){ int i, m = n % 4; for (i = 0; i < m; i++) x[i]=0; if (n < 4) return; for (i = m; i < n; i += 4) { x[i]=1; x[i+1]=2; } }
double dot(const double *a, const double *b, int n){ double s=0; for(int i=0;i<n;i++) s+=a[i]*b[i]; return s; }
void k15(double A[N][N]){ for(int i=0;i<N;i++) A[i][i] = dot(A[i], &A[0][i], N-i); }
void k16(int n, double *a){ int i=0; do { a[i]=0; i++; } while(i<n); while (n > 0) { a[n]=1; n /= 2; } for(i=0;i<10;i++) { a[i] = 2; i++; } }
void k17(int n, double*a){ for (int b=0;b<n;b+=32) for (int i=b; i<(b+32<n?b+32:n); i++) a[i]=1; }
static int imin(int a,int b){return a<b?a:b;}
static int imin2(int a,int b){if (a<b) return a; return b;}
void k18(int n, double*a){ for (int b=0;b<n;b+=32) { for (int i=b; i<imin(b+32,n); i++) a[i]=1; int e = imin2(b+32,n); for (int i=b; i<e; i++) a[i]=1; for (int i=b; i<imin2(b+32,n); i++) a[i]=1;} }
int rec(double *a,int n){ if (n==0) return 0; for(int i=0;i<n;i++) a[i]=0; return rec(a,n-1); }
int main(){ int n = 100; double *x = alloc(n); k5(x, n); k14(n, (float*)x); k7(n, (void*)x, 0); k8(x, 20); k8(x, N); return 0; }
void k19(int n, double*a){ for (int b=0;b<n;b+=32) { for (int i=b; i<imin2(b+32,n); i++) a[i]=1; int m=b; for (int i=b; i<imin2(b+32,m); i++) {a[i]=1; m++;} } for (int i=0;i<n-i;i++) a[i]=0; }
void kk(double **A, int n) { for (int i=0;i<n;i++) for (int j=0;j<n;j++) A[i][j] = 0; }
void fine(int n, double *a) { for (int i=0;i<n;i++) a[i]=1; }
void fine2(int n, double *a) { for (int i=0;i<n;i++) { a[i]=1; switch(i) { case 1: a[i]=2; break; } } }
void guard(int n, double *a) { if (n < 1) return; if (a == 0) return; for (int i=0;i<n;i++) { if (a[i] > 0) { a[i] = 2; return; } a[i] = 1; } a[0] = 1; }
void got(int n, double *a) { a[5]=1; for (int i=0;i<n;i++) { if (a[i]>0) goto end; } a[0]=1; end: a[1]=2; }
static const int L10 = 10; enum { E = 5, F }; int global = 3;
void sz(double A[L10][E]) { const int L = 7; for (int i = 0; i < L10; i++) for (int j=0;j<F;j++) A[i][j%L] = sizeof A[0]; for (int i=0;i<global;i++) A[0][i]=1; }
void ptr(int n, double *restrict a, double *b) { double *p, *q; for (p = a, q = b; p != a + n; p++, q += 2) *p = *q; double *e = a + n; while (a < e) *a++ = 1; }
void cplx(int n, double _Complex *z) { for (int i=0;i<n;i++) z[i] *= z[i]; }
void old(n, a) int n; double a[]; { int i; for (i=0;i<n;i++) a[i] = (n) - a[i] * 2; }
void dow(int n, double *a) { do { for(int i=0;i<n;i++) a[i]=0; } while (0); int m = n; if (a[0] > 0) m = 3; for (int i=0;i<m;i++) a[i] = 1; }
