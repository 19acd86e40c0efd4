// Bit-fields share their bytes with others; what an access to one touches is not modelled.
struct flags {
  unsigned kind : 3;
  unsigned age : 29;
};

void birthdays(int n, struct flags *f)
{
  for (int i = 0; i < n; i++)
    f[i].age = 0; // rejects: unsupported-construct
}
