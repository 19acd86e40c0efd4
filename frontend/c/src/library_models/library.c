void bzero(void *to, unsigned long n) { memset(to, 0, n); }
void bcopy(const void *from, void *to, unsigned long n) { memmove(to, from, n); }
void *mempcpy(void *to, const void *from, unsigned long n)
{
  memcpy(to, from, n);
  return (char *)to + n;
}
void *__memset_chk(void *to, int value, unsigned long n, unsigned long room) { return memset(to, value, n); }
void *__memmove_chk(void *to, const void *from, unsigned long n, unsigned long room) { return memmove(to, from, n); }
int pthread_create(unsigned long *thread, const void *attributes, void *(*routine)(void *), void *argument)
{
  *thread = 1;
  routine(argument);
  return 0;
}
