// What inner loops lose, those around lose one after another; and nests may be deep.
// -P n=4
static void pass_on(int *next, int *last)
{
  *next = *last;
}

void lost_in_nests(int n, double *a, int *index)
{
  int first = 0, second = 0, third = 0, fourth = 0, fifth = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++) {
        if (fifth)
          a[k] += 1; // loads 0 to 57, stores 0 to 57
        fifth = fourth;
        pass_on(&fourth, &third);
        third = second;
      }
      second = first;
      first = index[j]; // loads 16
    }
  for (int i = 0; i < 1; i++)
   for (int j = 0; j < 1; j++)
    for (int k = 0; k < 1; k++)
     for (int l = 0; l < 1; l++)
      for (int m = 0; m < 1; m++)
       for (int o = 0; o < 1; o++)
        for (int p = 0; p < 1; p++)
         for (int q = 0; q < 1; q++)
          for (int r = 0; r < 1; r++)
           for (int s = 0; s < 1; s++)
            for (int t = 0; t < 1; t++)
             for (int u = 0; u < 1; u++)
              for (int v = 0; v < 1; v++)
               for (int w = 0; w < 1; w++)
                for (int x = 0; x < 1; x++)
                 for (int y = 0; y < 1; y++)
                  for (int z = 0; z < n; z++) {
                    a[first] += z; // loads 4, stores 4
                    pass_on(&first, &second);
                    second = index[z]; // loads 4
                  }
}
