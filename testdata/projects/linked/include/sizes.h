#define ROWS 10
#define COLUMNS 20
