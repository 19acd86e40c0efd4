// Looks up keys in a sorted list: of 200 numbers, seven or eight are compared with each.
void binary_search(int m, int n, const double *restrict keys, const double sorted[restrict n], int *restrict places)
{
    for (int q = 0; q < m; q++) {
        double key = keys[q];
        int low = 0, high = n;
        // premiss:assume trips 7..8
        while (low < high) {
            int middle = (low + high) / 2;
            if (sorted[middle] < key)
                low = middle + 1;
            else
                high = middle;
        }
        places[q] = low;
    }
}
