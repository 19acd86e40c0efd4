/* Dynamic programming on a table with one more row and column. */
#ifndef N
#define N 1000
#endif

static int table[N + 1][N + 1];

int lcs(const char *s, const char *t)
{
    for (int i = 0; i <= N; i++)
        table[i][0] = 0;
    for (int j = 0; j <= N; j++)
        table[0][j] = 0;
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++) {
            int match = table[i - 1][j - 1] + (s[i - 1] == t[j - 1]);
            int best = table[i - 1][j] > table[i][j - 1] ? table[i - 1][j] : table[i][j - 1];
            table[i][j] = match > best ? match : best;
        }
    return table[N][N];
}
