// A bit-field is the bytes that hold its bits. Storing one may load what is beside it first.
// -P n=100
struct cell {
  unsigned kind : 3;
  unsigned age : 13;
  unsigned short mark : 16;
};

void bit_fields(int n, struct cell *c)
{
  for (int i = 0; i < n; i++) {
    c[i].age = c[i].kind; // loads 100 to 200, stores 100
    c[i].mark = 7;        // stores 100
  }
}
