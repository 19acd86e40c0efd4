#pragma once
typedef long jmp_buf[25];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int);
