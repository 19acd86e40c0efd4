// Looks up keys in a list that is not sorted: a comment says how far each search goes.
void linear_search(int m, int n, const int *restrict keys, const int *restrict list, int *restrict places)
{
    for (int q = 0; q < m; q++) {
        int key = keys[q];
        int i;
        // premiss:assume trips 250..550
        for (i = 0; i < n; i++)
            if (list[i] == key)
                break;
        places[q] = i;
    }
}
