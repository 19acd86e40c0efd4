/* A convolution of an image with a small kernel, without a border. */
#include <stdio.h>

#ifndef H
#define H 240
#endif
#ifndef W
#define W 320
#endif
#define K 5

static float image[H][W], result[H][W], kernel[K][K];

int main(void)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            image[y][x] = (float)(x ^ y);
    for (int v = 0; v < K; v++)
        for (int u = 0; u < K; u++)
            kernel[v][u] = 1.0f / (K * K);
    for (int y = 0; y <= H - K; y++)
        for (int x = 0; x <= W - K; x++) {
            float sum = 0.0f;
            for (int v = 0; v < K; v++)
                for (int u = 0; u < K; u++)
                    sum += image[y + v][x + u] * kernel[v][u];
            result[y + K / 2][x + K / 2] = sum;
        }
    printf("%f\n", result[10][20]);
    return 0;
}
