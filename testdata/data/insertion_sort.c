// Sorts numbers by insertion: from n - 1 moves to (n - 1) n / 2.
void insertion_sort(int n, double *a)
{
    for (int i = 1; i < n; i++) {
        double x = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > x) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = x;
    }
}
