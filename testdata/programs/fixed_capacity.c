/* Arrays of fixed length that a size fills in part. */
#define CAPACITY 1000

static double price[CAPACITY], amount[CAPACITY];

double total(int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += price[i] * amount[i];
    return sum;
}
