// A store of a real number among others of a struct leaves the integers and pointers beside them as they are.
// -P m=9
struct series {
    int n;
    double *weights;
    double values[40];
};

double sizes_beside_reals(struct series *given, int m)
{
    struct series own;
    double sum = 0;
    own.n = m;
    for (int i = 1; i < own.n; i++)
        own.values[i] = i;                               // stores 8
    given->n = m;                                        // stores 1
    for (int i = 1; i < given->n; i++)                   // loads 9
        given->values[i - 1] = given->values[i]          // loads 8, stores 8
            * given->weights[i];                         // loads 16
    for (int i = 0; i < own.n; i++)
        sum += own.values[i];                            // loads 9
    return sum;
}
