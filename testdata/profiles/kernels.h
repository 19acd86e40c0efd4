#define SIZE 1000

#define ARRAYS(each)                                                                               \
    each(a) each(b) each(c) each(d) each(e) each(f) each(g) each(value) each(x) each(y) each(h)    \
    each(o) each(p) each(q) each(r) each(t) each(u) each(v) each(w) each(z) each(aa) each(ab)     \
    each(ba) each(bb) each(bc)
#define INDICES(each) each(first) each(last) each(column)

extern double a[], b[], c[], d[], e[], f[], g[], value[], x[], y[], h[], o[], p[], q[], r[], t[], u[],
    v[], w[], z[], aa[], ab[], ba[], bb[], bc[];
extern int first[], last[], column[];

#ifdef COUNTING
#define COUNTER(array) extern long n_##array;
ARRAYS(COUNTER)
INDICES(COUNTER)
#define AT(array, i) (*(n_##array++, &array[i]))
#else
#define AT(array, i) array[i]
#endif

double arms(int n);
void rows(int n);
void halves(int n);
double search(int n, double key);
int scans(void);
double both(int n);
double weights(int n);
double rare(int n);
