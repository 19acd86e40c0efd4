struct  t0 {
  unsigned short m0 : 3 ;
  _Bool m1 : 1 ;
  enum colour m2 : 31 ;
  unsigned : 0;
  enum colour m3 : 32 ;
  int_at_16 m4 : 2 ;
  unsigned short m5 : 6 ;
  long long m6 : 53 ;
  unsigned char m7 : 1 ;
   double m8[2][2] ;
  unsigned long m9 : 2 ;
  unsigned m10 : 31 ;
} __attribute__((packed));
struct  t1 {
  struct {
  union {
   _Alignas(64) char m0 ;
  } ;
  __attribute__((packed, aligned(32))) int_at_16 m1 ;
  } ;
  struct {
  int_at_16 : 0;
  unsigned : 0;
  long long m2 : 27 ;
  unsigned short m3 : 1 ;
  _Bool m4 : 1 ;
  enum colour m5 : 22 ;
  } ;
  char : 3;
  __attribute__((aligned(1))) _Bool m6 ;
   signed char m7 __attribute__((aligned(1)));
} __attribute__((aligned));
union  t2 {
   __int128 m0 ;
   long double _Complex m1[3] ;
  __attribute__((aligned(1))) unsigned short m2 ;
} __attribute__((packed, aligned(2)));
struct  t3 {
   double m0 __attribute__((aligned(sizeof(int[32]))));
  unsigned short m1 : 6 __attribute__((packed));
  short m2 : 16 ;
   long m3 ;
   struct t0 m4[2] ;
} ;
#pragma pack(push, 1)
union  t4 {
  enum colour m0 : 32 ;
  enum colour : 4;
  long long : 33;
  _Bool m1 : 1 ;
  long long m2 : 35 ;
  long m3 : 51 ;
  int m4 : 32 ;
  int m5 : 16 ;
  unsigned m6 : 21 ;
  int_at_16 : 0;
  unsigned short m7 : 16 ;
  unsigned char m8 : 8 ;
  short m9 : 13 ;
} ;
#pragma pack(pop)
struct  t5 {
   float m0[3] __attribute__((packed));
  struct {
  struct {
   __int128 m1 ;
  unsigned long m2 : 19 ;
  } ;
  unsigned short m3 : 7 ;
  enum colour m4 : 32 ;
  unsigned char m5 : 5 ;
  unsigned char m6 : 7 ;
  } ;
   enum colour m7[0] ;
   long double _Complex m8[3] ;
  short m9 : 12 ;
  unsigned char : 5;
  enum colour m10 : 15 ;
} ;
struct __attribute__((packed)) t6 {
   struct t5 m0 ;
  short m1 : 7 ;
  unsigned short m2 : 11 ;
  char m3 : 3 ;
  union {
  unsigned short m4 : 16 ;
  enum colour : 4;
  long m5 : 64 ;
  unsigned char : 1;
  unsigned m6 : 30 ;
  unsigned m7 : 32 ;
  } ;
} ;
struct  t7 {
  unsigned long m0 : 18 ;
  short m1 : 9 ;
  int m2 : 32 ;
  unsigned short m3 : 10 ;
  short m4 : 5 ;
  int_at_16 m5 : 3 ;
} ;
struct  t8 {
   int_at_16 m0 ;
} __attribute__((__aligned__(64)));
#pragma pack(push, 4)
struct __attribute__((packed)) t9 {
   struct t0 m0 ;
   __int128 m1[2][2] ;
   struct t8 m2[2] __attribute__((packed, aligned(8)));
   union t2 m3[2] ;
} ;
#pragma pack(pop)
struct  t10 {
  long long m0 : 53 ;
  short m1 : 14 ;
  int_at_16 m2 : 7 ;
} ;
struct  t11 {
  _Bool m0 : 1 ;
  int_at_16 m1 : 28 ;
  char m2 : 8 ;
} ;
union  t12 {
   struct t0 m0 ;
  unsigned short m1 : 2 ;
  unsigned short m2 : 14 ;
  enum colour m3 : 29 ;
  enum colour m4 : 27 ;
   enum small m5[2][2] __attribute__((aligned(16)));
   int_at_16 m6 ;
} ;
struct  t13 {
  long long m0 : 10 ;
  char : 0;
  short m1 : 16 ;
} ;
struct  t14 {
  union {
  char m0 : 3 ;
  unsigned short m1 : 16 ;
  int_at_16 m2 : 25 ;
   plain m3[0] ;
  } ;
   long double _Complex m4 ;
} ;
union  t15 {
  enum colour m0 : 16 ;
  long : 33;
  long long : 0;
  unsigned short m1 : 12 ;
   struct t13 m2 ;
   long_at_2 m3 ;
  unsigned short m4 : 16 ;
  char m5 : 3 ;
  enum colour : 0;
  long long m6 : 30 ;
   struct { char x; double y; } m7 ;
  long m8 : 24 ;
  _Bool m9 : 1 ;
} ;
struct  t16 {
   union t12 m0[2] __attribute__((packed, aligned(16)));
} ;
struct __attribute__((packed)) t17 {
  __attribute__((aligned(2))) pair m0 ;
   _Alignas(64) plain m1 ;
  char m2 : 2 ;
   int_at_16 m3 ;
   long double _Complex m4[0] __attribute__((aligned(sizeof(int[16]))));
} ;
union __attribute__((aligned)) t18 {
   int_at_16 m0 ;
  short m1 : 5 ;
  unsigned short m2 : 16 ;
   pair m3 ;
  enum colour m4 : 31 ;
  unsigned char : 2;
  unsigned long m5 : 35 ;
  long long m6 : 63 ;
  int_at_16 m7 : 32 ;
} ;
#pragma pack(push, 2)
struct __attribute__((packed)) t19 {
  char m0 : 1 ;
  short m1 : 11 ;
  enum colour m2 : 16 ;
  union {
  union {
  long m3 : 27 ;
  long : 33;
  _Bool m4 : 1 ;
  unsigned long m5 : 43 ;
  } ;
  struct {
   char m6[3] __attribute__((packed));
   long double _Complex m7[3] __attribute__((aligned(8)));
  } ;
  int m8 : 32 ;
  short : 0;
  long m9 : 64 ;
  } ;
  struct {
   _Bool m10[3] ;
  long m11 : 64 ;
  int_at_16 m12 : 21 ;
  unsigned m13 : 7 ;
  int m14 : 29 ;
  unsigned char m15 : 8 ;
  char m16 : 4 ;
  } ;
} ;
#pragma pack(pop)
union  t20 {
   unsigned m0[3] ;
  unsigned char m1 : 1 ;
  long long m2 : 37 ;
  _Bool m3 : 1 ;
  __attribute__((aligned(sizeof(int[16])))) enum large m4 ;
  unsigned m5 : 32 ;
  short : 11;
  unsigned char m6 : 5 ;
  unsigned char m7 : 8 ;
  int m8 : 30 ;
  int : 0;
  long long m9 : 58 ;
  int : 0;
} ;
struct  t21 {
  short m0 : 8 ;
  unsigned char m1 : 7 ;
  unsigned char m2 : 5 ;
  short m3 : 3 ;
  unsigned m4 : 32 ;
  char m5 : 3 ;
  unsigned : 0;
  long m6 : 22 ;
  unsigned m7 : 2 ;
  unsigned long : 0;
  unsigned char m8 : 2 ;
  unsigned long m9 : 45 ;
  int m10 : 22 ;
   struct t6 m11 ;
} ;
#pragma pack(push, 4)
struct  t22 {
  unsigned long : 10;
  int_at_16 m0 : 32 ;
} __attribute__((packed));
#pragma pack(pop)
union  t23 {
  __attribute__((packed, aligned(1))) enum colour m0 ;
  char m1 : 1 ;
  __attribute__((packed)) double _Complex m2[2][2] ;
} ;
struct  t24 {
   float m0[0] __attribute__((aligned(4)));
   struct t8 m1 ;
   unsigned long m2 __attribute__((aligned(16)));
  struct {
  union {
  long long : 11;
  unsigned long m3 : 31 ;
  long : 31;
  int_at_16 : 20;
  short m4 : 9 ;
  _Bool m5 : 1 ;
  } ;
   unsigned m6[0] ;
  } ;
} ;
union __attribute__((aligned)) t25 {
   enum colour m0 ;
   int m1[2][2] ;
  unsigned long m2 : 7 ;
  unsigned m3 : 32 ;
  unsigned long m4 : 19 ;
  unsigned m5 : 29 ;
  unsigned short m6 : 6 ;
  unsigned char m7 : 5 ;
  int m8 : 8 ;
} ;
struct  t26 {
  unsigned char m0 : 5 ;
  long m1 : 12 ;
  _Bool m2 : 1 ;
} ;
struct __attribute__((packed, aligned(64))) t27 {
   long_at_2 m0 ;
   struct t8 m1 ;
   long double m2 ;
   float _Complex m3 ;
  unsigned : 0;
  short m4 : 7 ;
  long m5 : 58 ;
} ;
#pragma pack(push, 1)
struct  t28 {
  int_at_16 m0 : 3 ;
  char m1 : 8 ;
  unsigned char m2 : 2 ;
   long_at_2 m3 ;
  union {
  union {
  short m4 : 6 ;
  enum colour m5 : 4 ;
   int_at_16 m6 ;
  } ;
   struct t7 m7 ;
  struct {
   pair m8 ;
  } ;
  } ;
   unsigned long m9 ;
  __attribute__((aligned(sizeof(int[1])))) long_at_2 m10 ;
} ;
#pragma pack(pop)
union  t29 {
   union t2 m0 ;
  __attribute__((packed, aligned(4))) unsigned long m1[3] ;
   struct t0 m2[2] ;
   int_at_16 m3 ;
   struct t26 m4 ;
} __attribute__((packed));
#pragma pack(push, 8)
struct __attribute__((__aligned__(64))) t30 {
  short m0 : 16 ;
   float _Complex m1 ;
  unsigned short m2 : 3 ;
  __attribute__((aligned(sizeof(int[4])))) __int128 m3 ;
  short m4 : 4 ;
  char m5 : 4 ;
  enum colour m6 : 32 ;
} ;
#pragma pack(pop)
struct  t31 {
   short m0 ;
   long long m1 ;
  enum colour m2 : 14 ;
  unsigned long m3 : 64 __attribute__((packed, aligned(2)));
  int_at_16 m4 : 5 ;
  short m5 : 16 ;
   void * m6 ;
  __attribute__((packed)) struct t10 m7 ;
} ;
struct  t32 {
   struct t30 m0 __attribute__((aligned(1)));
   long m1[2][2] ;
   union t4 m2 ;
  unsigned char m3 : 8 ;
  int_at_16 m4 : 8 ;
  unsigned m5 : 17 ;
  enum colour m6 : 32 ;
  short m7 : 16 ;
  int m8 : 32 ;
   long long m9 __attribute__((aligned(sizeof(int[16]))));
  char last[];
} ;
#pragma pack(push, 8)
struct __attribute__((packed)) t33 {
   short m0[2][2] __attribute__((packed));
  long long m1 : 46 ;
  unsigned char : 6;
  int m2 : 10 ;
  long m3 : 32 ;
  int : 5;
  int_at_16 m4 : 17 ;
  unsigned long m5 : 47 ;
} ;
#pragma pack(pop)
struct  t34 {
  unsigned char m0 : 8 ;
  unsigned short m1 : 8 ;
  long m2 : 47 ;
   struct t33 m3 __attribute__((aligned(sizeof(int[32]))));
  long long m4 : 18 ;
  char m5 : 8 ;
  int : 0;
  enum colour m6 : 32 ;
  unsigned char m7 : 6 ;
  _Bool m8 : 1 ;
  long m9 : 64 ;
  _Bool : 1;
  short m10 : 2 ;
   int_at_16 m11 ;
} ;
struct  t35 {
  unsigned long : 0;
  long long m0 : 36 ;
   int_at_16 m1 ;
  struct {
  unsigned m2 : 22 ;
  short m3 : 11 ;
  int : 0;
  long long m4 : 40 ;
   long m5[0] ;
  } ;
   struct t5 m6 ;
  unsigned m7 : 19 ;
} ;
struct  t36 {
  enum colour m0 : 9 ;
  short m1 : 16 ;
  long long m2 : 23 ;
  unsigned m3 : 6 ;
  __attribute__((aligned(32))) double m4[2][2] ;
  unsigned m5 : 32 ;
  long m6 : 64 ;
  unsigned long m7 : 64 ;
  _Bool : 1;
  unsigned char m8 : 1 ;
  enum colour m9 : 25 ;
  short m10 : 12 ;
  unsigned m11 : 5 ;
  enum colour m12 : 28 ;
  char m13 : 8 ;
  unsigned m14 : 3 ;
} ;
#pragma pack(push, 1)
union __attribute__((aligned)) t37 {
  short m0 : 14 ;
  unsigned m1 : 23 ;
  enum colour m2 : 31 ;
   long long m3 ;
  __attribute__((aligned(sizeof(int[16])))) double m4 ;
  struct {
  char m5 : 1 ;
   long_at_2 m6 ;
  } ;
  __attribute__((aligned(sizeof(int[2])))) plain m7 ;
} ;
#pragma pack(pop)
struct __attribute__((__aligned__(4))) t38 {
   const volatile int m0 ;
  int_at_16 m1 : 29 ;
  unsigned m2 : 13 ;
  __attribute__((aligned(sizeof(int[32])))) long_at_2 m3 ;
  enum colour m4 : 7 ;
  char m5 : 4 ;
  unsigned m6 : 11 ;
  int m7 : 32 ;
  int_at_16 m8 : 32 ;
  int m9 : 32 __attribute__((packed, aligned(16)));
} ;
struct  t39 {
   char m0[0] ;
   enum colour m1[2][2] ;
} ;
struct  t40 {
  long long m0 : 23 ;
  short m1 : 1 ;
  unsigned char : 0;
} ;
struct  t41 {
  unsigned short m0 : 1 ;
  int_at_16 m1 : 25 ;
  int m2 : 8 ;
} ;
struct  t42 {
  unsigned char m0 : 4 ;
  unsigned m1 : 21 ;
  long m2 : 64 ;
  int_at_16 m3 : 32 ;
  struct {
   union t2 m4[2] ;
  } ;
  double last[];
} ;
struct  t43 {
   _Bool m0[3] ;
  long long m1 : 5 ;
  char : 6;
  long : 0;
  enum colour m2 : 32 ;
} ;
#pragma pack(push, 4)
struct  t44 {
   _Alignas(64) unsigned long m0[0] ;
  long m1 : 64 ;
  _Bool m2 : 1 ;
} ;
#pragma pack(pop)
struct  t45 {
   union t12 m0[2] ;
   long_at_2 m1 __attribute__((packed));
   short m2 ;
  __attribute__((packed, aligned(16))) int_at_16 m3 ;
  double last[];
} ;
#pragma pack(push, 8)
struct  t46 {
  int m0 : 8 ;
   float _Complex m1 ;
   __int128 m2 ;
} ;
#pragma pack(pop)
union  t47 {
  unsigned short m0 : 16 ;
  int_at_16 m1 : 2 ;
   enum colour m2[3] ;
  union {
  long m3 : 61 ;
  unsigned long m4 : 2 ;
  unsigned char m5 : 2 ;
  long : 33;
  } ;
  short m6 : 7 ;
  unsigned m7 : 23 ;
  int m8 : 21 ;
  unsigned short m9 : 4 ;
} ;
#pragma pack(push, 8)
struct  t48 {
   long long m0 __attribute__((aligned(1)));
   int_at_16 m1 ;
  int m2 : 6 ;
  short m3 : 15 ;
  short m4 : 16 ;
  unsigned m5 : 32 ;
  short m6 : 11 ;
  short m7 : 16 ;
  int m8 : 19 ;
  unsigned long m9 : 2 ;
  unsigned long m10 : 63 __attribute__((aligned(16)));
  int m11 : 17 ;
  long long m12 : 1 ;
  char m13 : 3 ;
  unsigned m14 : 24 ;
  unsigned short m15 : 8 ;
} ;
#pragma pack(pop)
struct __attribute__((packed)) t49 {
   unsigned m0 ;
  long m1 : 64 ;
  int : 0;
  enum colour m2 : 30 ;
  struct {
  unsigned char m3 : 7 ;
  union {
   void * m4 __attribute__((packed));
   float _Complex m5[0] ;
  } ;
   __int128 m6 ;
  } ;
   char m7[0] ;
  int last[];
} ;
#pragma pack(push, 4)
struct  t50 {
   _Alignas(64) char m0 ;
  double last[];
} ;
#pragma pack(pop)
struct  t51 {
  char m0 : 8 ;
   struct t36 m1[2] __attribute__((aligned(sizeof(int[1]))));
} __attribute__((__aligned__(2)));
#pragma pack(push, 2)
struct  t52 {
  struct {
   enum colour m0[3] ;
  } ;
  struct {
  _Bool m1 : 1 ;
  } ;
  union {
  short m2 : 12 ;
  int m3 : 25 ;
  short m4 : 14 ;
  } ;
   plain m5[0] ;
   int_at_16 m6 ;
} ;
#pragma pack(pop)
struct  t53 {
   enum colour m0 __attribute__((aligned(sizeof(int[8]))));
  unsigned : 0;
  unsigned char m1 : 2 ;
   unsigned m2 ;
} ;
#pragma pack(push, 8)
struct  t54 {
  long m0 : 12 ;
  int m1 : 17 ;
  char m2 : 5 ;
  long long m3 : 3 ;
   unsigned short m4[3] __attribute__((packed, aligned(16)));
  char m5 : 5 ;
  long m6 : 23 ;
  unsigned char : 3;
} ;
#pragma pack(pop)
struct  t55 {
  unsigned m0 : 31 ;
  __attribute__((packed, aligned(32))) struct t9 m1[2] ;
   short m2 ;
   int m3[2][2] ;
} ;
#pragma pack(push, 8)
struct  t56 {
  unsigned char : 8;
  unsigned long : 32;
  int m0 : 26 ;
  unsigned long : 0;
  short m1 : 16 ;
  short m2 : 8 ;
  unsigned char m3 : 8 ;
   double _Complex m4 __attribute__((packed));
  unsigned char m5 : 8 ;
  unsigned char m6 : 2 ;
  long long : 33;
  short m7 : 4 ;
} ;
#pragma pack(pop)
struct  t57 {
  enum colour m0 : 18 ;
  unsigned long m1 : 50 ;
  _Bool m2 : 1 ;
  unsigned char m3 : 1 ;
} ;
struct  t58 {
   long m0 __attribute__((aligned(2)));
   unsigned short m1 ;
  int_at_16 m2 : 26 ;
  unsigned char m3 : 4 ;
   union t37 m4 ;
} ;
struct  t59 {
  int m0 : 32 ;
} ;
union __attribute__((packed)) t60 {
  __attribute__((packed, aligned(16))) _Bool m0 ;
   int_at_16 m1 ;
  short m2 : 12 ;
} ;
union  t61 {
   unsigned long m0 __attribute__((packed));
  unsigned m1 : 32 ;
  long long m2 : 50 ;
} ;
struct  t62 {
  long m0 : 61 ;
  long long m1 : 21 ;
  unsigned short m2 : 4 ;
  int m3 : 9 ;
   enum small m4[3] __attribute__((packed, aligned(32)));
   struct { char x; double y; } m5[2][2] __attribute__((aligned(16)));
} ;
struct  t63 {
   int m0 ;
  long m1 : 64 ;
  short : 0;
  union {
  int_at_16 : 14;
  short m2 : 12 ;
  long m3 : 55 ;
  int_at_16 m4 : 32 ;
  } ;
  int m5 : 32 ;
   struct t9 m6 ;
} ;
union  t64 {
  int m0 : 16 ;
  union {
  short m1 : 1 ;
  long m2 : 64 ;
  int_at_16 m3 : 16 ;
  unsigned : 22;
  } ;
} ;
struct  t65 {
   struct { char x; double y; } m0[3] ;
   int_at_16 m1 ;
  long long m2 : 47 ;
  enum colour m3 : 12 ;
  enum colour m4 : 7 ;
  short m5 : 3 ;
  unsigned long m6 : 31 ;
  int : 0;
  unsigned m7 : 32 ;
  unsigned char m8 : 5 ;
} __attribute__((packed));
#pragma pack(push, 1)
struct  t66 {
  __attribute__((aligned(sizeof(int[8])))) void * m0 ;
  unsigned short m1 : 7 ;
  int_at_16 : 0;
  char m2 : 7 ;
  unsigned short m3 : 13 ;
  enum colour m4 : 21 ;
  long : 0;
   long_at_2 m5 __attribute__((aligned(4)));
   union t12 m6[2] ;
} ;
#pragma pack(pop)
struct  t67 {
  unsigned m0 : 15 ;
  unsigned short m1 : 10 ;
  int_at_16 m2 : 12 ;
  enum colour m3 : 18 ;
  unsigned char : 0;
  int_at_16 : 17;
  int_at_16 m4 : 12 ;
  int_at_16 : 3;
  int m5 : 11 ;
  char : 0;
  char m6 : 3 ;
} ;
struct  t68 {
   plain m0 ;
  struct {
  char m1 : 8 ;
  int m2 : 32 ;
  unsigned char m3 : 1 ;
  _Bool m4 : 1 ;
  union {
   int_at_16 m5 ;
   _Bool m6[3] ;
   const volatile int m7 ;
  } ;
   union t25 m8 __attribute__((packed, aligned(8)));
  } __attribute__((packed));
   union t25 m9 __attribute__((packed, aligned(4)));
  int : 10;
   struct t26 m10[2] __attribute__((aligned(sizeof(int[4]))));
  enum colour m11 : 32 ;
} ;
#pragma pack(push, 2)
union  t69 {
  unsigned char m0 : 4 ;
  unsigned short m1 : 7 ;
  _Bool m2 : 1 ;
  unsigned : 12;
   long_at_2 m3 ;
   int m4 ;
  long long m5 : 38 ;
  int_at_16 m6 : 32 ;
  _Bool : 0;
  short m7 : 11 ;
   double m8[2][2] ;
} ;
#pragma pack(pop)
struct __attribute__((packed)) t70 {
  unsigned char m0 : 8 ;
  enum colour m1 : 29 ;
} ;
struct  t71 {
  unsigned long m0 : 8 ;
  _Bool : 1;
  unsigned char m1 : 8 ;
  long m2 : 48 ;
} ;
union  t72 {
   int m0[2][2] ;
  struct {
   unsigned long m1 ;
   plain m2[3] ;
  } __attribute__((packed));
} ;
union  t73 {
   struct t13 m0 ;
   __int128 m1[2][2] __attribute__((packed, aligned(8)));
   enum small m2[2][2] ;
} ;
struct  t74 {
  char m0 : 1 ;
  int m1 : 27 ;
   struct t71 m2 ;
  struct {
   struct t67 m3 __attribute__((aligned(1)));
   float _Complex m4[0] __attribute__((aligned(sizeof(int[4]))));
   struct t57 m5 ;
  } ;
} ;
struct  t75 {
   plain m0[2][2] ;
  struct {
   struct { char x; double y; } m1[2][2] ;
   long_at_2 m2 ;
  } ;
} ;
#pragma pack(push, 1)
struct  t76 {
  long long m0 : 22 ;
  _Bool m1 : 1 ;
  long m2 : 64 ;
  int m3 : 14 ;
   pair m4 ;
  union {
  union {
  long m5 : 35 ;
  long m6 : 59 ;
  unsigned m7 : 32 ;
  unsigned m8 : 19 ;
   long_at_2 m9 ;
  } ;
  } ;
} ;
#pragma pack(pop)
struct  t77 {
  long long m0 : 61 ;
  int_at_16 m1 : 16 ;
  long long m2 : 20 ;
  enum colour m3 : 32 ;
} ;
struct  t78 {
  unsigned : 0;
  long m0 : 41 ;
  unsigned m1 : 27 ;
  int m2 : 17 ;
  enum colour : 0;
   struct t76 m3[2] ;
} __attribute__((__aligned__(2)));
union  t79 {
   long_at_2 m0 ;
  short : 5;
  long m1 : 59 ;
  unsigned long m2 : 11 ;
  _Bool m3 : 1 ;
  long long m4 : 6 ;
  long long m5 : 22 ;
  char m6 : 4 ;
  unsigned short : 8;
   _Bool m7[3] ;
} ;
struct __attribute__((packed)) t80 {
  long long m0 : 38 ;
  char m1 : 4 ;
  union {
   struct t70 m2 ;
   double m3 ;
  enum colour m4 : 4 ;
  short m5 : 16 ;
  char : 6;
  } ;
  short : 0;
  char m6 : 3 ;
  long m7 : 19 ;
  _Bool m8 : 1 ;
   pair m9 ;
} ;
#pragma pack(push, 1)
struct  t81 {
  long long m0 : 64 ;
  int : 15;
   char m1 ;
  unsigned char m2 : 4 __attribute__((aligned(sizeof(int[16]))));
} ;
#pragma pack(pop)
struct  t82 {
   _Bool m0[3] __attribute__((aligned(2)));
} __attribute__((packed));
struct __attribute__((packed, aligned(16))) t83 {
   plain m0 ;
  long long m1 : 63 ;
  long long m2 : 14 ;
} ;
struct  t84 {
  int_at_16 m0 : 1 ;
  _Bool m1 : 1 ;
  unsigned short m2 : 16 ;
  unsigned char m3 : 7 ;
   int_at_16 m4 ;
  union {
  enum colour m5 : 32 ;
  _Bool m6 : 1 ;
   int_at_16 m7 ;
  } __attribute__((packed));
   unsigned short m8 ;
  union {
  _Bool : 1;
  char m9 : 8 ;
  long m10 : 64 ;
  } ;
} ;
struct  t85 {
  long long m0 : 2 ;
  int_at_16 m1 : 28 ;
  unsigned short m2 : 15 ;
  enum colour m3 : 32 ;
  unsigned short m4 : 12 ;
   struct t44 m5 ;
  char m6 : 2 ;
  enum colour m7 : 29 ;
  _Bool m8 : 1 ;
   pair m9 ;
  long : 38;
  unsigned char m10 : 7 ;
} __attribute__((packed));
struct __attribute__((__aligned__(16))) t86 {
   short m0[0] ;
} ;
#pragma pack(push, 1)
union  t87 {
   _Alignas(64) const volatile int m0[2][2] ;
   struct { char x; double y; } m1 ;
   pair m2 ;
  enum colour m3 : 32 ;
  int m4 : 28 ;
} __attribute__((packed));
#pragma pack(pop)
struct  t88 {
   __int128 m0 ;
  unsigned char : 0;
   pair m1 ;
   pair m2 ;
  _Bool m3 : 1 ;
  unsigned long m4 : 11 ;
  short m5 : 10 ;
} __attribute__((__aligned__(16)));
#pragma pack(push, 4)
union  t89 {
  enum colour m0 : 15 ;
  unsigned char m1 : 1 ;
  __attribute__((packed, aligned(32))) _Bool m2[3] ;
  _Bool : 0;
  unsigned short m3 : 4 ;
  enum colour m4 : 30 ;
} ;
#pragma pack(pop)
union  t90 {
  unsigned : 1;
  short m0 : 8 ;
  long long m1 : 22 ;
  unsigned long m2 : 64 ;
   double m3 ;
  long long m4 : 55 __attribute__((packed));
  char m5 : 3 ;
  char m6 : 6 ;
  int_at_16 : 0;
   struct { char x; double y; } m7 ;
   long_at_2 m8 ;
  union {
   unsigned long m9[0] ;
  } ;
} ;
struct  t91 {
   unsigned m0[3] ;
   union t18 m1[2] ;
  long m2 : 15 ;
  int_at_16 m3 : 16 ;
  __attribute__((packed)) unsigned short m4 ;
   _Bool m5[3] __attribute__((packed));
  short : 0;
  int_at_16 m6 : 9 ;
  char m7 : 2 ;
} __attribute__((__aligned__(32)));
struct __attribute__((packed)) t92 {
  union {
  struct {
  __attribute__((aligned(2))) long_at_2 m0 ;
   pair m1 __attribute__((packed, aligned(4)));
  } ;
  unsigned m2 : 32 ;
  short m3 : 4 __attribute__((packed, aligned(2)));
  int m4 : 28 ;
   long double _Complex m5 ;
  } ;
  union {
  union {
   pair m6 ;
  } ;
  __attribute__((aligned(sizeof(int[1])))) void * m7[3] ;
   struct t91 m8[2] __attribute__((aligned(1)));
  } ;
} ;
struct  t93 {
   int_at_16 m0 __attribute__((packed, aligned(4)));
  unsigned short m1 : 16 ;
  enum colour m2 : 21 ;
  unsigned m3 : 16 ;
  char m4 : 8 ;
   unsigned m5 ;
  _Bool : 0;
  int m6 : 10 ;
  long m7 : 38 ;
  enum colour m8 : 12 ;
  _Bool m9 : 1 ;
  short m10 : 3 ;
  unsigned long m11 : 64 ;
} ;
struct  t94 {
   _Bool m0[2][2] ;
   long m1[0] __attribute__((packed));
   long_at_2 m2 ;
  unsigned short m3 : 16 ;
  char m4 : 5 ;
   double m5[3] __attribute__((aligned(8)));
   struct t52 m6[2] ;
} __attribute__((packed));
#pragma pack(push, 1)
struct  t95 {
   int_at_16 m0 ;
  union {
   _Alignas(64) int m1 ;
  } ;
  unsigned m2 : 9 ;
  _Bool m3 : 1 ;
  int m4 : 6 ;
  int m5 : 16 ;
   unsigned short m6[3] __attribute__((packed));
   short m7[0] __attribute__((aligned(sizeof(int[16]))));
} ;
#pragma pack(pop)
union  t96 {
  __attribute__((packed, aligned(2))) enum large m0 ;
} __attribute__((aligned));
struct  t97 {
   unsigned m0[0] __attribute__((packed));
   pair m1 ;
  union {
  unsigned char m2 : 7 ;
  _Bool m3 : 1 ;
  unsigned short m4 : 4 ;
  long long : 17;
  char m5 : 2 ;
   double m6 ;
  } ;
   enum small m7[2][2] ;
} ;
struct  t98 {
  int_at_16 m0 : 32 ;
   union t87 m1 ;
  _Bool m2 : 1 ;
  int_at_16 : 2;
  int m3 : 5 ;
  char m4 : 8 ;
  long long m5 : 64 ;
  union {
  union {
   unsigned short m6 ;
  unsigned m7 : 32 ;
  unsigned short m8 : 4 ;
  unsigned long m9 : 4 ;
  } ;
  } ;
} ;
struct  t99 {
  unsigned short m0 : 15 ;
  long m1 : 64 ;
  int_at_16 m2 : 7 ;
  char m3 : 8 ;
  char m4 : 1 ;
  unsigned short m5 : 7 ;
  long long m6 : 19 ;
  short : 13;
  char m7 : 4 ;
  unsigned char m8 : 8 ;
  unsigned long m9 : 50 ;
   long_at_2 m10 ;
} ;
union __attribute__((packed)) t100 {
   plain m0[2][2] ;
  unsigned char m1 : 2 ;
  unsigned short m2 : 16 ;
  unsigned short m3 : 15 ;
  unsigned m4 : 9 ;
  unsigned long m5 : 52 ;
  short : 7;
  int_at_16 m6 : 3 ;
  short m7 : 16 ;
  char m8 : 8 ;
} ;
struct  t101 {
  _Bool m0 : 1 ;
  long m1 : 64 ;
  unsigned long m2 : 54 ;
  struct {
  __attribute__((packed, aligned(2))) struct t21 m3[2] ;
  __attribute__((aligned(32))) int_at_16 m4 ;
  } ;
} __attribute__((packed));
struct  t102 {
   long m0 __attribute__((packed));
   char m1 __attribute__((packed));
  long m2 : 37 ;
   __int128 m3[2][2] __attribute__((aligned(sizeof(int[4]))));
  struct {
   pair m4 ;
  } ;
  long long m5 : 54 ;
  short m6 : 16 ;
  long long m7 : 38 ;
} ;
struct __attribute__((__aligned__(4))) t103 {
  struct {
  int m0 : 32 ;
  unsigned char m1 : 7 ;
  short m2 : 15 ;
  } ;
  short m3 : 11 ;
  int m4 : 15 ;
  long m5 : 50 ;
  short : 6;
  unsigned long m6 : 55 ;
   struct t34 m7[2] ;
} ;
#pragma pack(push, 4)
struct  t104 {
   unsigned m0[3] ;
   double m1[0] __attribute__((aligned(sizeof(int[4]))));
  unsigned m2 : 11 ;
  enum colour m3 : 30 ;
  unsigned m4 : 17 ;
   struct t71 m5 ;
  __attribute__((aligned(sizeof(int[32])))) long double _Complex m6[3] ;
} ;
#pragma pack(pop)
union  t105 {
  _Bool m0 : 1 ;
  long long m1 : 26 ;
  long long : 39;
  int_at_16 : 0;
   struct t43 m2[2] ;
   int_at_16 m3 ;
  unsigned char m4 : 8 ;
  enum colour m5 : 28 ;
  unsigned : 0;
  enum colour m6 : 32 ;
  char m7 : 8 ;
  unsigned m8 : 32 ;
} ;
union __attribute__((__aligned__(32))) t106 {
   long double m0 __attribute__((packed, aligned(32)));
  enum colour : 18;
  _Bool m1 : 1 ;
  enum colour m2 : 6 ;
  long m3 : 55 ;
  long long m4 : 64 ;
  short m5 : 1 ;
  union {
  struct {
   float m6 ;
  enum colour m7 : 22 ;
  short m8 : 12 ;
  unsigned short m9 : 1 ;
  long long m10 : 50 ;
   enum large m11 ;
  } ;
  } ;
   int_at_16 m12 ;
   double _Complex m13[3] ;
} ;
struct  t107 {
  unsigned short m0 : 1 ;
  int m1 : 32 ;
  enum colour : 17;
   __int128 m2[3] __attribute__((packed, aligned(16)));
  unsigned char m3 : 6 ;
  unsigned long m4 : 14 ;
  int_at_16 m5 : 5 ;
} ;
struct  t108 {
  unsigned : 31;
  char m0 : 8 ;
  unsigned char m1 : 8 ;
  char m2 : 4 ;
  union {
   unsigned m3[2][2] ;
  } ;
   double _Complex m4 ;
   long_at_2 m5 ;
} ;
union  t109 {
   _Bool m0 __attribute__((packed, aligned(4)));
   _Alignas(64) long long m1[2][2] ;
   _Bool m2[3] __attribute__((aligned(4)));
   char m3 ;
} ;
struct  t110 {
  unsigned char : 1;
  int_at_16 m0 : 20 ;
  unsigned short m1 : 5 ;
  union {
   _Alignas(64) plain m2[2][2] ;
   int_at_16 m3 ;
  } ;
   struct t3 m4 ;
  char m5 : 8 ;
  int m6 : 16 ;
  struct {
   long m7[0] __attribute__((packed));
   unsigned short m8[0] ;
  _Bool m9 : 1 ;
  } ;
} __attribute__((packed, aligned(16)));
struct  t111 {
  unsigned char m0 : 8 ;
  int_at_16 m1 : 30 ;
  enum colour m2 : 1 ;
  long m3 : 54 __attribute__((packed, aligned(16)));
  unsigned long : 13;
  int m4 : 32 ;
  short m5 : 10 ;
  unsigned : 0;
  _Bool m6 : 1 ;
   union t2 m7 ;
  unsigned short m8 : 16 ;
  double last[];
} ;
struct __attribute__((packed)) t112 {
   unsigned long m0[0] ;
} ;
#pragma pack(push, 8)
struct __attribute__((aligned)) t113 {
   unsigned long m0 ;
   short m1[0] __attribute__((packed));
} ;
#pragma pack(pop)
struct  t114 {
  __attribute__((packed)) char m0[2][2] ;
  struct {
  union {
   long double m1 ;
  } ;
  } __attribute__((__aligned__(16)));
  int m2 : 12 ;
  char m3 : 1 ;
  unsigned m4 : 8 ;
  struct {
   unsigned long m5[3] ;
  } __attribute__((__aligned__(16)));
  int_at_16 m6 : 6 ;
  unsigned char m7 : 8 ;
  unsigned short m8 : 2 ;
} ;
struct  t115 {
   long_at_2 m0 ;
  int m1 : 27 ;
  int m2 : 20 ;
  __attribute__((aligned(sizeof(int[16])))) int_at_16 m3 ;
   _Alignas(64) signed char m4[3] ;
  enum colour m5 : 4 ;
} __attribute__((packed));
struct  t116 {
   double m0 ;
  short m1 : 3 ;
  int_at_16 m2 : 27 ;
} ;
struct  t117 {
   _Bool m0 ;
} ;
struct  t118 {
   __int128 m0 ;
  char m1 : 6 ;
  int m2 : 32 ;
  unsigned m3 : 3 ;
} ;
struct  t119 {
  int : 7;
  unsigned char m0 : 1 ;
  long m1 : 64 __attribute__((aligned(sizeof(int[4]))));
  long long m2 : 50 ;
  char m3 : 4 ;
  int m4 : 32 ;
  char m5 : 8 ;
  char m6 : 3 ;
} __attribute__((__aligned__(1)));
struct  t120 {
  char m0 : 3 ;
  _Bool m1 : 1 ;
  unsigned short m2 : 16 ;
  long m3 : 35 __attribute__((packed));
   plain m4 ;
  unsigned long m5 : 37 ;
  unsigned m6 : 15 ;
  char m7 : 6 __attribute__((aligned(32)));
  enum colour m8 : 32 ;
  short m9 : 14 ;
  _Bool m10 : 1 ;
   struct t6 m11 ;
  short m12 : 4 ;
  char m13 : 5 ;
} ;
struct  t121 {
   int_at_16 m0 ;
  union {
  unsigned short : 0;
  } ;
   float _Complex m1 ;
  int_at_16 m2 : 23 ;
  long m3 : 18 ;
  _Bool m4 : 1 ;
} ;
struct  t122 {
  unsigned m0 : 25 ;
} __attribute__((packed));
struct  t123 {
  __attribute__((aligned(sizeof(int[32])))) pair m0 ;
   struct t51 m1[2] ;
  struct {
  int m2 : 32 ;
  char m3 : 6 ;
  } ;
} __attribute__((packed));
#pragma pack(push, 2)
struct __attribute__((packed)) t124 {
  __attribute__((aligned(sizeof(int[16])))) _Bool m0 ;
} ;
#pragma pack(pop)
struct  t125 {
  int m0 : 19 ;
  char m1 : 8 ;
  char m2 : 8 ;
   union t69 m3[2] ;
  short m4 : 3 ;
  int_at_16 m5 : 27 ;
  short : 0;
  short m6 : 13 ;
  int m7 : 26 ;
  long long m8 : 12 ;
   enum colour m9[3] __attribute__((aligned(sizeof(int[2]))));
} ;
union  t126 {
   long double m0[0] ;
   struct t3 m1 ;
} __attribute__((packed, aligned(1)));
#pragma pack(push, 4)
struct  t127 {
   int_at_16 m0 ;
  long m1 : 7 ;
  short m2 : 8 ;
  short m3 : 16 ;
  unsigned long m4 : 18 ;
  char m5 : 6 ;
  int m6 : 32 ;
   short m7 ;
  enum colour m8 : 18 ;
  int m9 : 10 __attribute__((packed, aligned(2)));
  int_at_16 m10 : 16 ;
  char last[];
} ;
#pragma pack(pop)
struct  t128 {
   union t64 m0[2] ;
  struct {
  struct {
  short m1 : 16 ;
  _Bool m2 : 1 ;
   struct t40 m3 ;
  } ;
  _Bool m4 : 1 ;
  } ;
  long : 33;
  _Bool m5 : 1 ;
  unsigned short m6 : 13 ;
   union t69 m7[2] ;
  __attribute__((packed, aligned(8))) long_at_2 m8 ;
} ;
struct  t129 {
  unsigned char m0 : 1 ;
  unsigned : 0;
  unsigned : 0;
} ;
struct  t130 {
   void * m0[3] ;
   enum large m1 ;
  int m2 : 27 ;
  unsigned long m3 : 55 ;
  char : 0;
  unsigned long : 0;
} ;
struct  t131 {
   enum colour m0[2][2] ;
  int_at_16 m1 : 18 ;
  long m2 : 62 ;
  short m3 : 16 ;
  short m4 : 11 ;
} ;
struct  t132 {
  __attribute__((aligned(1))) float _Complex m0[2][2] ;
   short m1[3] ;
  long long : 10;
  unsigned char m2 : 8 ;
  long long : 0;
  long : 0;
  long m3 : 64 ;
  short m4 : 15 ;
  enum colour m5 : 32 ;
} ;
struct  t133 {
   int_at_16 m0 __attribute__((aligned(1)));
  int_at_16 m1 : 32 ;
} ;
union  t134 {
  unsigned char m0 : 6 ;
  unsigned m1 : 13 ;
  long m2 : 2 ;
  long long m3 : 64 ;
  unsigned short m4 : 16 ;
  short m5 : 7 ;
   long m6 ;
   _Alignas(64) plain m7[2][2] ;
  short m8 : 10 ;
  long long m9 : 12 ;
  unsigned m10 : 32 ;
} ;
struct  t135 {
  unsigned char m0 : 4 ;
  unsigned char m1 : 8 ;
   pair m2 ;
} ;
union  t136 {
  char m0 : 2 ;
  enum colour m1 : 32 ;
   struct t95 m2 __attribute__((packed));
   struct { char x; double y; } m3[3] __attribute__((aligned(2)));
  long long m4 : 5 ;
  unsigned long m5 : 64 __attribute__((aligned(32)));
  unsigned long m6 : 39 ;
   struct t68 m7 ;
} __attribute__((packed, aligned(4)));
struct  t137 {
   signed char m0 __attribute__((aligned(sizeof(int[16]))));
} ;
struct  t138 {
  unsigned m0 : 24 ;
  _Bool : 1;
  int m1 : 12 ;
  unsigned m2 : 7 ;
  unsigned long m3 : 21 ;
} ;
union  t139 {
  unsigned short : 0;
  int m0 : 32 ;
} ;
struct  t140 {
   struct t92 m0 ;
   struct t115 m1 ;
  unsigned long m2 : 13 ;
  int : 30;
  unsigned short m3 : 14 ;
  char m4 : 8 ;
  unsigned short m5 : 16 ;
} ;
#pragma pack(push, 1)
struct  t141 {
  unsigned short m0 : 16 ;
  unsigned long m1 : 11 ;
  short m2 : 16 ;
  enum colour m3 : 7 ;
   unsigned long m4[2][2] __attribute__((aligned(1)));
  unsigned short m5 : 4 ;
  unsigned m6 : 13 ;
  unsigned short m7 : 16 ;
  long m8 : 64 ;
} ;
#pragma pack(pop)
struct  t142 {
  unsigned short m0 : 13 ;
  short m1 : 12 ;
  char m2 : 5 ;
  int_at_16 m3 : 32 ;
  char m4 : 7 ;
  long long m5 : 18 ;
  long long m6 : 43 ;
  long long m7 : 15 ;
  enum colour m8 : 32 ;
  short m9 : 12 ;
  enum colour m10 : 32 ;
} __attribute__((packed));
union  t143 {
  int_at_16 m0 : 6 ;
  unsigned char m1 : 8 ;
  _Bool m2 : 1 ;
  unsigned m3 : 24 ;
  long m4 : 1 ;
  char m5 : 4 ;
  unsigned m6 : 18 ;
  short m7 : 7 ;
  int_at_16 m8 : 7 ;
  _Bool m9 : 1 ;
   __int128 m10[2][2] ;
   union t106 m11 ;
} ;
struct  t144 {
   signed char m0 ;
  int m1 : 32 ;
   char m2 ;
  long m3 : 3 ;
  unsigned : 14;
  unsigned m4 : 7 ;
  double last[];
} ;
struct __attribute__((__aligned__(2))) t145 {
   long double _Complex m0 ;
   long long m1[2][2] ;
   short m2 ;
   void * m3 __attribute__((aligned(sizeof(int[16]))));
} ;
struct __attribute__((packed, aligned(1))) t146 {
  struct {
  unsigned short m0 : 3 ;
  long long m1 : 2 ;
  } ;
  struct {
  union {
   long double _Complex m2 __attribute__((aligned(4)));
   void * m3 ;
  } ;
  unsigned : 0;
  _Bool m4 : 1 ;
  int_at_16 m5 : 23 ;
  _Bool m6 : 1 ;
  unsigned long m7 : 40 ;
  unsigned short m8 : 6 ;
  unsigned short m9 : 16 ;
  } ;
   int_at_16 m10 ;
   struct t26 m11 ;
  struct {
   unsigned short m12 ;
  } ;
} ;
struct  t147 {
  int_at_16 : 0;
  enum colour m0 : 20 __attribute__((packed));
   union t90 m1 __attribute__((aligned(4)));
} __attribute__((packed, aligned(2)));
struct __attribute__((packed, aligned(8))) t148 {
  unsigned long m0 : 50 ;
  int m1 : 22 ;
  unsigned long m2 : 13 ;
  _Bool m3 : 1 ;
  int m4 : 28 ;
  char m5 : 8 ;
} ;
struct  t149 {
   float _Complex m0[3] ;
} ;
struct  t150 {
   long long m0[3] ;
  enum colour m1 : 31 ;
  _Bool : 0;
  char m2 : 8 ;
  int m3 : 6 ;
   char m4[0] __attribute__((packed, aligned(8)));
   long double _Complex m5 __attribute__((packed));
} ;
#pragma pack(push, 4)
union  t151 {
  int m0 : 21 ;
  enum colour m1 : 28 ;
   union t29 m2 ;
} ;
#pragma pack(pop)
struct __attribute__((packed)) t152 {
   union t47 m0 ;
   long double _Complex m1[0] __attribute__((packed));
  unsigned long m2 : 15 ;
  int m3 : 23 ;
  unsigned char : 0;
  enum colour m4 : 4 ;
  int : 0;
  unsigned long m5 : 20 ;
  long : 60;
} ;
union  t153 {
   struct t118 m0 __attribute__((aligned(sizeof(int[16]))));
   plain m1[2][2] ;
   _Alignas(64) enum small m2[2][2] ;
} ;
#pragma pack(push, 2)
union  t154 {
   enum small m0[2][2] ;
   long_at_2 m1 ;
   long_at_2 m2 ;
  unsigned : 0;
  enum colour m3 : 32 ;
  enum colour m4 : 30 ;
  long long : 27;
} __attribute__((__aligned__(32)));
#pragma pack(pop)
struct  t155 {
   _Alignas(64) float m0[3] ;
} ;
#pragma pack(push, 8)
struct  t156 {
  long m0 : 48 ;
   long double m1 ;
   float _Complex m2[3] ;
   double _Complex m3 ;
  struct {
   struct { char x; double y; } m4[3] ;
  } ;
} ;
#pragma pack(pop)
struct  t157 {
  __attribute__((aligned(4))) struct t75 m0 ;
} ;
union  t158 {
   int_at_16 m0 ;
  char : 0;
  long long m1 : 44 ;
  unsigned long m2 : 31 ;
  unsigned char : 0;
  long long m3 : 64 ;
  _Bool : 0;
} ;
struct  t159 {
   const volatile int m0[3] __attribute__((aligned(4)));
  enum colour m1 : 29 ;
  unsigned m2 : 5 ;
  unsigned short m3 : 16 __attribute__((packed, aligned(4)));
} ;
struct  t160 {
  short m0 : 3 ;
  enum colour m1 : 32 ;
  unsigned char : 4;
  short m2 : 8 ;
  double last[];
} ;
struct __attribute__((__aligned__(16))) t161 {
   _Bool m0 ;
  short m1 : 8 ;
} ;
#pragma pack(push, 1)
struct  t162 {
   double _Complex m0 __attribute__((aligned(sizeof(int[16]))));
   double m1 ;
} ;
#pragma pack(pop)
struct  t163 {
  int_at_16 : 16;
  unsigned char : 3;
  long long m0 : 51 ;
  unsigned long m1 : 7 ;
  unsigned char m2 : 8 ;
  enum colour m3 : 32 ;
  int_at_16 m4 : 4 ;
   unsigned m5 ;
} __attribute__((packed));
struct  t164 {
   struct t110 m0 ;
   pair m1 ;
   long double m2 ;
} ;
union  t165 {
  int_at_16 m0 : 32 ;
  short m1 : 16 __attribute__((packed, aligned(32)));
  unsigned long : 0;
   long_at_2 m2 ;
   struct t70 m3 ;
   pair m4 ;
   unsigned long m5 ;
  union {
   pair m6 __attribute__((packed));
  } ;
} ;
struct  t166 {
   long m0[3] ;
  char m1 : 3 __attribute__((packed));
   struct t26 m2 ;
   long long m3[3] ;
   pair m4 ;
} ;
#pragma pack(push, 8)
union  t167 {
  unsigned long m0 : 19 ;
  long : 0;
   long double m1 __attribute__((packed, aligned(4)));
  long long : 5;
  int : 0;
  long long m2 : 31 ;
  enum colour m3 : 15 ;
  char m4 : 8 ;
   struct t152 m5 ;
} __attribute__((packed));
#pragma pack(pop)
struct  t168 {
  union {
  short m0 : 7 ;
  unsigned short m1 : 13 ;
  } ;
  enum colour m2 : 13 ;
  short m3 : 7 ;
  char m4 : 8 ;
} ;
struct  t169 {
  struct {
   __int128 m0 ;
  } ;
} ;
union  t170 {
   pair m0 ;
   _Alignas(64) long double m1[2][2] ;
  enum colour m2 : 1 ;
  unsigned m3 : 13 ;
  enum colour m4 : 20 ;
   struct t148 m5 ;
   pair m6 ;
} ;
struct  t171 {
  long : 0;
  unsigned short m0 : 5 ;
  short m1 : 2 ;
  struct {
  unsigned char m2 : 4 __attribute__((aligned(2)));
  long long m3 : 8 ;
  long m4 : 19 ;
  unsigned m5 : 15 ;
  } ;
  _Bool : 1;
  long long m6 : 64 __attribute__((packed));
  int_at_16 m7 : 19 ;
  unsigned char m8 : 8 ;
   long long m9[2][2] ;
   float m10[3] ;
  struct {
  int_at_16 m11 : 11 ;
  unsigned long m12 : 32 ;
  } ;
  char last[];
} ;
union  t172 {
  unsigned char m0 : 1 ;
   long_at_2 m1 ;
} ;
struct __attribute__((packed)) t173 {
  unsigned m0 : 14 ;
  unsigned m1 : 4 ;
  long m2 : 25 ;
} ;
union  t174 {
   long double _Complex m0 ;
   struct { char x; double y; } m1[0] __attribute__((packed));
  short m2 : 16 ;
   struct t51 m3 __attribute__((aligned(sizeof(int[16]))));
   struct t124 m4 ;
   union t64 m5 ;
} ;
union  t175 {
  struct {
  int m0 : 26 ;
  unsigned long m1 : 38 ;
   float _Complex m2 ;
  } ;
  unsigned long : 62;
} __attribute__((__aligned__(16)));
struct  t176 {
  _Bool m0 : 1 ;
   double _Complex m1 ;
  union {
   int m2 ;
  } ;
  _Bool m3 : 1 ;
  long long m4 : 9 ;
  enum colour m5 : 31 ;
  short m6 : 16 ;
   struct t115 m7 __attribute__((aligned(8)));
   pair m8 __attribute__((packed, aligned(2)));
} ;
struct  t177 {
  char m0 : 5 ;
  int m1 : 4 ;
  enum colour m2 : 31 ;
  unsigned char m3 : 8 ;
  enum colour m4 : 22 ;
} ;
#pragma pack(push, 4)
struct  t178 {
  unsigned m0 : 15 ;
  long long m1 : 22 ;
  int m2 : 27 ;
  int_at_16 m3 : 10 ;
} __attribute__((packed));
#pragma pack(pop)
struct  t179 {
  union {
  struct {
   _Bool m0[2][2] ;
  _Bool m1 : 1 ;
  unsigned char : 0;
  enum colour m2 : 27 ;
  unsigned short : 0;
  char m3 : 2 ;
  short : 0;
  } __attribute__((packed));
   union t109 m4[2] ;
  } ;
} ;
#pragma pack(push, 1)
struct __attribute__((packed, aligned(64))) t180 {
  __attribute__((packed)) __int128 m0 ;
   float _Complex m1 ;
} ;
#pragma pack(pop)
union  t181 {
   struct t176 m0[2] ;
  _Bool m1 : 1 ;
   union t73 m2 __attribute__((packed, aligned(2)));
} ;
struct  t182 {
  union {
   long double _Complex m0[2][2] __attribute__((packed, aligned(4)));
  } ;
  __attribute__((aligned(4))) char m1 ;
  long long : 3;
  _Bool : 1;
  unsigned char m2 : 3 ;
  _Bool m3 : 1 ;
  int m4 : 32 ;
  enum colour m5 : 10 ;
  _Bool m6 : 1 ;
  unsigned : 21;
  short : 8;
  int m7 : 5 ;
  int_at_16 m8 : 32 ;
   short m9[2][2] ;
} __attribute__((packed, aligned(4)));
#pragma pack(push, 2)
union  t183 {
   void * m0 ;
   pair m1 ;
  union {
   unsigned long m2 ;
  } ;
   float _Complex m3[0] ;
   char m4[3] ;
} ;
#pragma pack(pop)
#pragma pack(push, 2)
struct  t184 {
  _Bool m0 : 1 ;
  short m1 : 12 ;
  unsigned long m2 : 64 ;
  unsigned m3 : 28 ;
  unsigned short m4 : 16 ;
  int_at_16 m5 : 32 ;
  long m6 : 64 ;
} __attribute__((packed));
#pragma pack(pop)
union  t185 {
   double _Complex m0 __attribute__((aligned(sizeof(int[8]))));
  struct {
  _Bool m1 : 1 ;
  unsigned short m2 : 5 ;
  unsigned char m3 : 8 ;
  unsigned long m4 : 15 ;
  } __attribute__((packed, aligned(16)));
} __attribute__((__aligned__(4)));
struct  t186 {
  __attribute__((aligned(sizeof(int[1])))) union t158 m0 ;
  union {
   short m1 ;
   _Alignas(64) short m2 ;
  enum colour m3 : 28 ;
  } ;
   signed char m4 ;
   unsigned short m5 __attribute__((packed, aligned(1)));
  long long : 0;
  int_at_16 m6 : 3 ;
  int : 0;
  _Bool : 0;
} ;
struct  t187 {
  union {
  int_at_16 m0 : 21 ;
  long long m1 : 41 ;
  long long m2 : 20 ;
  long long m3 : 37 ;
   pair m4 ;
  __attribute__((packed, aligned(1))) unsigned long m5 ;
  } ;
} ;
struct  t188 {
  __attribute__((aligned(sizeof(int[16])))) struct t52 m0 ;
  struct {
  union {
   int_at_16 m1 ;
   long_at_2 m2 __attribute__((aligned(2)));
  long m3 : 4 ;
  } ;
   long double m4[2][2] ;
  } ;
  unsigned : 0;
   struct t163 m5 ;
   unsigned m6[3] ;
  union {
  union {
   short m7 ;
   int m8[0] ;
  unsigned long m9 : 64 ;
  int_at_16 m10 : 25 ;
  char m11 : 7 __attribute__((aligned(sizeof(int[32]))));
  } ;
  } ;
} ;
struct  t189 {
  enum colour m0 : 28 ;
  int_at_16 m1 : 17 ;
  struct {
  long : 46;
  unsigned long m2 : 14 ;
  short m3 : 16 ;
  long m4 : 44 ;
  unsigned short m5 : 7 ;
  } ;
   int_at_16 m6 ;
  long long : 0;
  int_at_16 m7 : 5 ;
} __attribute__((__aligned__(4)));
struct __attribute__((packed)) t190 {
   _Alignas(64) long double _Complex m0 ;
   union t109 m1 ;
} ;
#pragma pack(push, 1)
struct  t191 {
  __attribute__((packed, aligned(4))) int_at_16 m0 ;
  unsigned char m1 : 8 ;
  long long m2 : 20 ;
  int m3 : 31 __attribute__((aligned(32)));
  long long m4 : 64 ;
} ;
#pragma pack(pop)
union  t192 {
  struct {
  __attribute__((aligned(sizeof(int[8])))) float _Complex m0[2][2] ;
   plain m1[3] ;
  __attribute__((packed)) double m2 ;
  } ;
  union {
   struct { char x; double y; } m3 ;
   float _Complex m4[3] ;
  } ;
   plain m5[3] __attribute__((packed));
  short m6 : 3 ;
  enum colour m7 : 1 ;
   enum small m8[3] __attribute__((packed, aligned(2)));
} ;
#pragma pack(push, 8)
struct  t193 {
   float m0[2][2] ;
   const volatile int m1[2][2] ;
  _Bool m2 : 1 ;
  char m3 : 2 ;
  unsigned short m4 : 11 ;
  long long m5 : 11 ;
  unsigned char m6 : 8 ;
} ;
#pragma pack(pop)
struct  t194 {
   struct { char x; double y; } m0[2][2] ;
   struct { char x; double y; } m1[3] ;
   struct t46 m2 ;
   int_at_16 m3 ;
   int_at_16 m4 ;
  long long m5 : 20 ;
  int_at_16 m6 : 25 ;
  long long m7 : 7 ;
  char last[];
} ;
struct __attribute__((__aligned__(4))) t195 {
  long m0 : 33 ;
  enum colour m1 : 10 ;
  unsigned short m2 : 3 ;
   long long m3 ;
   union t69 m4 __attribute__((packed));
  _Bool m5 : 1 ;
  unsigned char m6 : 4 ;
  unsigned long m7 : 64 __attribute__((aligned(2)));
  _Bool : 1;
} ;
struct  t196 {
   pair m0 __attribute__((packed, aligned(32)));
} ;
struct  t197 {
   unsigned m0[2][2] ;
} ;
#pragma pack(push, 1)
union  t198 {
  long long m0 : 43 ;
  long long m1 : 43 ;
  enum colour : 1;
} __attribute__((aligned));
#pragma pack(pop)
union  t199 {
   long_at_2 m0 ;
  long long m1 : 34 ;
  unsigned long m2 : 64 ;
  char : 1;
  long m3 : 64 ;
   long_at_2 m4 ;
  enum colour m5 : 9 ;
  short m6 : 16 ;
  long m7 : 64 ;
  unsigned long m8 : 10 ;
  unsigned m9 : 19 ;
} ;
struct  t200 {
  __attribute__((packed)) signed char m0[0] ;
  int_at_16 m1 : 10 ;
  short m2 : 5 ;
  unsigned short m3 : 16 ;
  enum colour m4 : 32 ;
   int_at_16 m5 ;
} ;
struct  t201 {
   union t15 m0[2] ;
   unsigned short m1[3] ;
  unsigned : 27;
  unsigned char m2 : 8 ;
  short m3 : 8 ;
  unsigned char : 0;
  int_at_16 : 0;
  char m4 : 3 ;
  struct {
  __attribute__((aligned(8))) pair m5 ;
   struct t99 m6 ;
  } ;
} ;
struct  t202 {
  union {
  int_at_16 m0 : 32 ;
  unsigned char m1 : 7 ;
  unsigned char m2 : 2 ;
  long m3 : 54 ;
  } __attribute__((__aligned__(16)));
   long_at_2 m4 ;
} ;
struct  t203 {
  long m0 : 63 ;
  short m1 : 16 ;
  union {
  char m2 : 2 __attribute__((packed, aligned(32)));
  int_at_16 m3 : 30 ;
  unsigned : 0;
   union t170 m4 ;
  } ;
   signed char m5[0] ;
  long long m6 : 50 ;
} ;
struct  t204 {
  enum colour m0 : 29 ;
  long long : 29;
  __attribute__((packed)) int_at_16 m1 ;
} ;
struct  t205 {
   unsigned m0[2][2] ;
   int_at_16 m1 ;
  enum colour m2 : 21 ;
  short m3 : 3 ;
  int_at_16 m4 : 11 ;
   _Alignas(64) __int128 m5 ;
} ;
struct __attribute__((packed, aligned(16))) t206 {
  short m0 : 14 ;
   struct t35 m1 ;
  struct {
  unsigned short m2 : 5 ;
  } ;
  unsigned m3 : 6 ;
  _Bool m4 : 1 ;
  unsigned char m5 : 8 ;
  short m6 : 6 ;
  struct {
   int_at_16 m7 __attribute__((aligned(2)));
  } ;
  struct {
  long long m8 : 55 ;
  int m9 : 19 ;
  } ;
} ;
struct __attribute__((packed, aligned(16))) t207 {
  _Bool m0 : 1 ;
  long m1 : 35 ;
  int m2 : 9 ;
  int_at_16 m3 : 25 __attribute__((packed, aligned(2)));
  unsigned short m4 : 8 ;
  char m5 : 6 ;
  unsigned short : 0;
  int last[];
} ;
struct  t208 {
   int m0 ;
  enum colour m1 : 32 ;
  _Bool m2 : 1 ;
} ;
struct  t209 {
   int_at_16 m0 ;
  unsigned m1 : 14 ;
   signed char m2[3] ;
  struct {
   const volatile int m3[2][2] ;
  _Bool m4 : 1 ;
  long long m5 : 33 ;
   float m6[3] __attribute__((aligned(sizeof(int[8]))));
  } ;
   short m7[3] ;
} __attribute__((packed));
struct  t210 {
   _Bool m0[2][2] ;
   _Alignas(64) enum large m1 ;
   struct t150 m2 ;
   struct t124 m3 __attribute__((packed, aligned(16)));
   pair m4 __attribute__((aligned(1)));
   enum colour m5 __attribute__((aligned(1)));
} ;
struct  t211 {
   char m0 ;
  int_at_16 m1 : 18 ;
  unsigned char m2 : 8 ;
  char m3 : 7 __attribute__((aligned(sizeof(int[8]))));
  unsigned long m4 : 34 ;
   long double m5 __attribute__((packed, aligned(4)));
} ;
struct  t212 {
  int m0 : 32 ;
  unsigned long m1 : 21 ;
  unsigned short m2 : 16 ;
  long long m3 : 62 ;
  _Bool m4 : 1 ;
   __int128 m5 __attribute__((packed));
  struct {
  char : 0;
  } ;
  _Bool : 1;
  long long : 0;
  unsigned char : 0;
  int last[];
} ;
#pragma pack(push, 4)
struct  t213 {
   int_at_16 m0 __attribute__((aligned(sizeof(int[32]))));
  long long m1 : 62 ;
  enum colour : 13;
  short m2 : 16 ;
  unsigned long m3 : 34 ;
  _Bool m4 : 1 ;
  _Bool m5 : 1 ;
   union t47 m6 ;
   unsigned long m7 __attribute__((aligned(1)));
} ;
#pragma pack(pop)
struct  t214 {
   void * m0 ;
   _Alignas(64) double m1[2][2] ;
  long long m2 : 9 ;
   int m3 __attribute__((packed, aligned(32)));
  long m4 : 15 ;
  unsigned long m5 : 60 ;
  long : 26;
  unsigned long m6 : 64 ;
   unsigned short m7[3] ;
  double last[];
} __attribute__((packed));
struct  t215 {
   struct t70 m0 ;
} ;
struct __attribute__((__aligned__(4))) t216 {
  __attribute__((aligned(sizeof(int[16])))) int_at_16 m0 ;
  _Bool m1 : 1 ;
  _Bool m2 : 1 ;
  long : 5;
   long double _Complex m3 ;
  long long m4 : 64 ;
  short m5 : 4 ;
  int m6 : 28 ;
} ;
struct  t217 {
   enum large m0[2][2] __attribute__((packed));
   enum colour m1[3] ;
  enum colour m2 : 32 ;
  unsigned long m3 : 30 ;
  short m4 : 9 ;
  long m5 : 35 ;
} ;
struct  t218 {
   char m0 ;
  long m1 : 64 __attribute__((packed, aligned(2)));
   long long m2 ;
   unsigned long m3[0] ;
} ;
struct  t219 {
  int m0 : 10 ;
  unsigned short m1 : 4 ;
  unsigned char m2 : 5 ;
  short m3 : 6 __attribute__((packed));
  _Bool m4 : 1 ;
   union t87 m5 __attribute__((packed));
  unsigned : 9;
  unsigned long m6 : 8 ;
  _Bool m7 : 1 ;
} __attribute__((packed));
#pragma pack(push, 8)
struct __attribute__((__aligned__(2))) t220 {
  struct {
  int_at_16 m0 : 32 ;
  long long : 38;
  long long m1 : 36 ;
   long double _Complex m2 ;
  } ;
  short m3 : 16 ;
  char m4 : 7 ;
  char : 0;
  int : 7;
  __attribute__((packed, aligned(4))) unsigned long m5[2][2] ;
   union t136 m6 __attribute__((aligned(4)));
   struct t30 m7 ;
} ;
#pragma pack(pop)
struct  t221 {
   int_at_16 m0 ;
  enum colour m1 : 7 ;
  unsigned char m2 : 4 ;
  _Bool m3 : 1 ;
  unsigned short m4 : 8 ;
  unsigned long m5 : 34 ;
   struct t182 m6 ;
  union {
   unsigned short m7 ;
  } ;
  short m8 : 16 ;
  long long m9 : 43 ;
  enum colour m10 : 28 ;
  int : 0;
} ;
struct  t222 {
   long m0 ;
   int_at_16 m1 __attribute__((packed));
} ;
struct  t223 {
   pair m0 ;
  unsigned long : 12;
  long long m1 : 16 ;
  short m2 : 16 ;
   const volatile int m3 ;
  struct {
   int m4[0] ;
  } ;
   void * m5 ;
  union {
  int m6 : 17 ;
  } ;
} ;
union  t224 {
  char m0 : 8 ;
  long long m1 : 31 ;
  short m2 : 14 ;
  unsigned short : 0;
  _Bool m3 : 1 ;
  struct {
   void * m4[2][2] ;
  long : 36;
  long m5 : 41 ;
  _Bool m6 : 1 ;
  unsigned char m7 : 1 ;
  unsigned char m8 : 5 ;
  long long m9 : 64 ;
  } ;
   unsigned long m10[2][2] ;
  struct {
  int m11 : 17 ;
  int m12 : 29 ;
  long long m13 : 16 ;
  struct {
   char m14[0] __attribute__((packed, aligned(2)));
   struct { char x; double y; } m15[2][2] ;
  } ;
  } __attribute__((__aligned__(1)));
   double m16 ;
} ;
struct  t225 {
  unsigned m0 : 27 __attribute__((packed, aligned(16)));
  int m1 : 32 __attribute__((aligned(2)));
  int m2 : 30 ;
  long long m3 : 60 ;
  int m4 : 23 ;
  unsigned char m5 : 1 ;
  enum colour m6 : 9 ;
  int m7 : 22 ;
  int_at_16 : 0;
  int : 26;
  unsigned short m8 : 7 ;
  unsigned m9 : 24 ;
  enum colour : 24;
  int_at_16 : 0;
  int m10 : 32 ;
   long long m11 ;
   long double _Complex m12 ;
} ;
struct  t226 {
   plain m0[2][2] ;
  unsigned short : 0;
  char m1 : 6 ;
  long long m2 : 64 ;
  enum colour m3 : 5 ;
} ;
#pragma pack(push, 1)
struct __attribute__((packed, aligned(2))) t227 {
   enum large m0 __attribute__((aligned(8)));
   short m1[3] ;
   struct t121 m2 ;
   char m3 ;
   long m4 ;
   __int128 m5 ;
} ;
#pragma pack(pop)
#pragma pack(push, 2)
struct  t228 {
   pair m0 ;
   _Bool m1 __attribute__((aligned(1)));
   _Bool m2 ;
   long long m3[2][2] ;
   long long m4 ;
   struct t117 m5[2] __attribute__((packed));
} ;
#pragma pack(pop)
struct  t229 {
  union {
  char m0 : 4 ;
  short m1 : 16 ;
  int : 15;
  unsigned char m2 : 7 ;
  _Bool : 1;
  } ;
  int : 0;
  struct {
   _Bool m3 ;
   union t96 m4 ;
  } ;
   unsigned short m5[2][2] __attribute__((packed));
  _Bool m6 : 1 ;
  unsigned m7 : 32 ;
  char m8 : 5 ;
  int m9 : 5 ;
} ;
union  t230 {
  struct {
  _Bool m0 : 1 ;
  int m1 : 30 ;
  int_at_16 m2 : 7 ;
  struct {
   float m3 ;
  unsigned m4 : 32 ;
  int m5 : 32 ;
  unsigned long m6 : 42 ;
  unsigned short m7 : 14 ;
  } ;
   int m8 ;
  } ;
  int m9 : 23 ;
  char m10 : 5 ;
  _Bool : 0;
   float _Complex m11[0] __attribute__((packed));
} ;
#pragma pack(push, 4)
struct  t231 {
  unsigned long m0 : 58 ;
  unsigned m1 : 32 ;
  short m2 : 2 ;
   unsigned m3 ;
} ;
#pragma pack(pop)
struct __attribute__((packed, aligned(1))) t232 {
  long m0 : 59 ;
  unsigned m1 : 16 ;
  unsigned m2 : 7 ;
} ;
#pragma pack(push, 8)
struct  t233 {
   void * m0 ;
} ;
#pragma pack(pop)
union __attribute__((packed)) t234 {
  unsigned short m0 : 16 ;
  long m1 : 64 ;
  unsigned long m2 : 51 ;
  _Bool m3 : 1 ;
  short m4 : 16 ;
  unsigned char m5 : 8 ;
  long m6 : 58 ;
  _Bool m7 : 1 ;
  unsigned char m8 : 8 ;
  unsigned long m9 : 36 ;
   enum large m10[2][2] ;
} ;
struct  t235 {
   int m0[3] __attribute__((aligned(sizeof(int[4]))));
} ;
#pragma pack(push, 8)
struct  t236 {
   long long m0 ;
   long double _Complex m1[3] __attribute__((aligned(8)));
} __attribute__((packed));
#pragma pack(pop)
#pragma pack(push, 8)
struct  t237 {
   char m0 ;
  enum colour m1 : 29 ;
  __attribute__((aligned(4))) long double m2[3] ;
   short m3 __attribute__((aligned(2)));
   unsigned m4[3] __attribute__((packed, aligned(2)));
} ;
#pragma pack(pop)
struct __attribute__((packed)) t238 {
   long_at_2 m0 ;
} ;
struct __attribute__((__aligned__(2))) t239 {
  int m0 : 15 ;
  unsigned m1 : 30 ;
  long long : 50;
   signed char m2 ;
  unsigned short m3 : 2 ;
  __attribute__((packed, aligned(2))) __int128 m4[3] ;
  __attribute__((packed, aligned(16))) double _Complex m5[3] ;
} ;
#pragma pack(push, 4)
struct  t240 {
  struct {
   int_at_16 m0 ;
  } ;
   plain m1 ;
   enum colour m2 ;
  struct {
   struct t222 m3[2] __attribute__((aligned(sizeof(int[32]))));
   pair m4 ;
  char : 0;
  _Bool : 0;
  } ;
} ;
#pragma pack(pop)
#pragma pack(push, 2)
struct  t241 {
   _Alignas(64) float m0[0] ;
} ;
#pragma pack(pop)
struct  t242 {
   unsigned long m0 ;
  enum colour m1 : 30 ;
} ;
#pragma pack(push, 1)
struct  t243 {
  enum colour m0 : 16 ;
  enum colour m1 : 18 ;
  enum colour m2 : 32 ;
  char m3 : 8 ;
   double m4[3] ;
} ;
#pragma pack(pop)
struct  t244 {
  struct {
   unsigned m0 __attribute__((packed));
  union {
  unsigned char m1 : 4 ;
  unsigned long m2 : 62 ;
  unsigned m3 : 9 __attribute__((packed));
  unsigned long m4 : 4 ;
  long m5 : 10 ;
  enum colour m6 : 15 ;
  int_at_16 m7 : 16 ;
  } ;
  } ;
  struct {
   long m8 ;
  struct {
  unsigned m9 : 14 ;
  unsigned char : 0;
  short : 0;
  __attribute__((packed, aligned(2))) pair m10 ;
  } ;
  } ;
  long long m11 : 31 ;
  int m12 : 22 ;
} ;
#pragma pack(push, 8)
union  t245 {
  struct {
   _Alignas(64) const volatile int m0[0] ;
  } ;
  struct {
  char m1 : 1 ;
  int_at_16 m2 : 12 ;
  unsigned : 4;
   _Alignas(64) unsigned m3 ;
   __int128 m4 ;
  } ;
   struct t238 m5 ;
  short m6 : 5 ;
   long long m7 ;
   enum small m8 ;
} ;
#pragma pack(pop)
struct  t246 {
   int_at_16 m0 ;
   plain m1 ;
} ;
struct  t247 {
   pair m0 ;
  struct {
  int m1 : 27 ;
  long m2 : 28 ;
  _Bool m3 : 1 ;
  long long m4 : 10 ;
  } ;
  union {
   long_at_2 m5 __attribute__((packed, aligned(8)));
  enum colour m6 : 13 ;
  char m7 : 1 ;
  char m8 : 7 ;
  } ;
   _Alignas(64) unsigned long m9[3] ;
   const volatile int m10 ;
  __attribute__((packed)) const volatile int m11 ;
} ;
struct  t248 {
  short m0 : 13 ;
  _Bool m1 : 1 ;
  unsigned long m2 : 11 ;
  short m3 : 12 ;
   unsigned m4 ;
  unsigned short m5 : 4 ;
  unsigned long m6 : 57 ;
  __attribute__((packed)) unsigned long m7 ;
  unsigned short m8 : 5 ;
  unsigned char m9 : 1 ;
  unsigned long m10 : 24 ;
   union t158 m11 ;
} ;
struct  t249 {
   float _Complex m0[3] __attribute__((packed, aligned(16)));
  long m1 : 49 ;
  unsigned short m2 : 5 ;
   long double _Complex m3 ;
  char m4 : 7 ;
  short m5 : 16 ;
} ;
union  t250 {
   struct t200 m0[2] ;
  char m1 : 1 ;
  char m2 : 8 ;
  long long m3 : 11 ;
  short m4 : 16 ;
  struct {
  __attribute__((aligned(16))) pair m5 ;
   struct t190 m6[2] __attribute__((aligned(2)));
  } ;
} ;
struct __attribute__((__aligned__(8))) t251 {
  union {
  struct {
   struct t222 m0 ;
   float m1 ;
  } ;
  } ;
  union {
  int_at_16 : 0;
  unsigned char m2 : 1 ;
  _Bool m3 : 1 ;
   long double _Complex m4[0] ;
  } ;
} ;
struct  t252 {
   struct t80 m0 ;
   pair m1 ;
  unsigned m2 : 16 ;
} __attribute__((packed));
struct  t253 {
  struct {
  __attribute__((packed, aligned(16))) long_at_2 m0 ;
  } ;
} ;
struct  t254 {
   void * m0 ;
   _Alignas(64) enum colour m1 ;
  long long : 8;
  short m2 : 16 ;
  unsigned m3 : 23 ;
  long long m4 : 6 ;
  int_at_16 m5 : 18 ;
  unsigned char m6 : 7 ;
  unsigned long m7 : 64 ;
} ;
union  t255 {
   int_at_16 m0 ;
} ;
struct  t256 {
  long m0 : 62 ;
  unsigned short m1 : 2 ;
  enum colour m2 : 25 ;
  _Bool m3 : 1 ;
  unsigned short m4 : 5 ;
   pair m5 ;
  unsigned short m6 : 16 ;
  unsigned m7 : 32 ;
  char m8 : 1 ;
  unsigned long m9 : 43 ;
} __attribute__((__aligned__(32)));
struct  t257 {
  long long m0 : 6 ;
  short m1 : 5 ;
  unsigned short m2 : 7 ;
} ;
#pragma pack(push, 4)
union __attribute__((__aligned__(32))) t258 {
  unsigned short : 0;
  struct {
  _Bool m0 : 1 ;
  unsigned short m1 : 5 ;
  short m2 : 13 ;
  } ;
  int_at_16 m3 : 23 ;
  short : 13;
  short m4 : 13 ;
  unsigned short m5 : 14 ;
  unsigned m6 : 30 ;
  enum colour m7 : 25 ;
} ;
#pragma pack(pop)
union  t259 {
   enum large m0[2][2] ;
   struct t3 m1 ;
  int_at_16 : 17;
  short m2 : 16 ;
  short m3 : 2 ;
   plain m4 ;
} ;
struct  t260 {
  enum colour : 9;
  _Bool m0 : 1 ;
   enum colour m1 ;
   long double m2 ;
   double _Complex m3[0] ;
} ;
struct __attribute__((packed)) t261 {
  short m0 : 5 ;
  char m1 : 1 ;
  int_at_16 m2 : 13 ;
  int m3 : 32 ;
  _Bool m4 : 1 ;
  unsigned long m5 : 15 ;
   unsigned m6 ;
   struct t147 m7 ;
} ;
struct  t262 {
  long long m0 : 64 ;
   long_at_2 m1 __attribute__((packed, aligned(16)));
  char m2 : 8 ;
  enum colour m3 : 20 ;
  short : 12;
  char m4 : 8 ;
  long long m5 : 22 ;
  _Bool m6 : 1 ;
  int_at_16 m7 : 12 ;
  unsigned long m8 : 63 ;
   struct t145 m9[2] ;
  char last[];
} ;
struct  t263 {
  int_at_16 m0 : 27 ;
  unsigned short m1 : 9 ;
  enum colour m2 : 27 ;
  unsigned short : 13;
   float _Complex m3[3] ;
   pair m4 ;
   double _Complex m5[3] __attribute__((packed));
  union {
   _Alignas(64) long double m6 ;
  long long : 0;
  unsigned long m7 : 61 ;
  unsigned short : 0;
   struct t159 m8 ;
  } ;
  _Bool m9 : 1 ;
  unsigned long : 0;
  long long m10 : 27 ;
  short m11 : 10 ;
} ;
#pragma pack(push, 4)
struct  t264 {
   struct t189 m0 ;
   short m1[0] __attribute__((aligned(2)));
   struct { char x; double y; } m2[3] __attribute__((packed));
   struct t216 m3 ;
} ;
#pragma pack(pop)
struct  t265 {
   short m0 ;
   enum large m1 ;
  int m2 : 8 ;
   long double _Complex m3 ;
  struct {
   short m4[0] __attribute__((aligned(2)));
  } ;
  unsigned short m5 : 16 ;
  enum colour m6 : 7 ;
} ;
struct __attribute__((packed)) t266 {
   int_at_16 m0 ;
  __attribute__((packed, aligned(16))) long_at_2 m1 ;
} ;
struct  t267 {
  unsigned short m0 : 13 ;
} ;
struct  t268 {
   plain m0 ;
} ;
struct  t269 {
  long long m0 : 18 __attribute__((aligned(sizeof(int[2]))));
  enum colour m1 : 28 ;
  long long m2 : 32 ;
  _Bool m3 : 1 ;
  int m4 : 13 ;
  struct {
   long_at_2 m5 ;
   struct t110 m6 ;
  } ;
  unsigned long m7 : 34 ;
  char m8 : 8 ;
  short : 0;
  _Bool : 1;
} ;
union  t270 {
   struct t221 m0 ;
} ;
#pragma pack(push, 2)
struct  t271 {
  int m0 : 18 ;
  int : 0;
  char m1 : 3 ;
  char : 0;
   struct t40 m2[2] ;
  short m3 : 14 ;
  enum colour m4 : 24 ;
  unsigned long : 0;
  _Bool m5 : 1 ;
} ;
#pragma pack(pop)
union __attribute__((__aligned__(4))) t272 {
  unsigned long m0 : 17 ;
  long m1 : 48 ;
   long m2[2][2] ;
} ;
union  t273 {
   union t61 m0 __attribute__((packed));
} ;
struct  t274 {
   _Alignas(64) unsigned m0 ;
   enum colour m1[0] __attribute__((aligned(sizeof(int[32]))));
  union {
   struct t265 m2[2] ;
   pair m3 ;
  int m4 : 3 __attribute__((packed, aligned(32)));
  int m5 : 31 ;
  } ;
  long : 34;
  union {
  int_at_16 m6 : 7 ;
  int_at_16 m7 : 15 ;
  int m8 : 19 ;
  unsigned char m9 : 8 ;
  } ;
   plain m10 ;
} __attribute__((__aligned__(4)));
struct  t275 {
  int : 19;
  unsigned char m0 : 4 ;
  unsigned short m1 : 6 ;
  unsigned long m2 : 43 ;
   double m3 ;
   long double m4[0] ;
   unsigned m5 ;
  unsigned long m6 : 64 __attribute__((packed));
  int_at_16 m7 : 27 ;
  int last[];
} ;
struct __attribute__((__aligned__(64))) t276 {
  unsigned long m0 : 48 ;
  unsigned long : 0;
  long long m1 : 53 __attribute__((aligned(8)));
  int_at_16 : 17;
   char m2[0] ;
   long m3[3] ;
   long_at_2 m4 ;
  union {
  union {
  char m5 : 8 ;
  long m6 : 18 ;
  } ;
  } ;
} ;
union __attribute__((aligned)) t277 {
  __attribute__((packed, aligned(4))) long_at_2 m0 ;
  unsigned char m1 : 6 ;
   pair m2 ;
  unsigned : 0;
  enum colour m3 : 10 ;
  char m4 : 5 ;
  short m5 : 15 ;
} ;
union  t278 {
  unsigned char m0 : 8 __attribute__((aligned(16)));
  long long m1 : 52 ;
  unsigned char m2 : 3 ;
  int_at_16 : 0;
  enum colour m3 : 31 ;
  int_at_16 : 0;
   pair m4 __attribute__((aligned(sizeof(int[16]))));
   pair m5 ;
} ;
struct  t279 {
   struct t41 m0 ;
  enum colour m1 : 7 ;
  long long : 3;
  long m2 : 64 ;
} ;
union  t280 {
   __int128 m0 ;
  int m1 : 24 ;
  int m2 : 1 ;
  int m3 : 25 ;
  char m4 : 5 ;
  long m5 : 23 ;
   short m6[3] ;
   float m7[0] ;
} __attribute__((packed, aligned(4)));
struct  t281 {
   long_at_2 m0 ;
   enum colour m1[0] ;
} ;
union  t282 {
   enum large m0[3] __attribute__((aligned(32)));
  unsigned long m1 : 31 ;
   _Alignas(64) int m2 ;
} ;
struct  t283 {
  _Bool m0 : 1 ;
  short : 6;
  long long m1 : 26 ;
} ;
struct  t284 {
  int m0 : 18 ;
  long long m1 : 30 ;
  long m2 : 64 ;
  int m3 : 32 ;
  unsigned long m4 : 56 ;
  long long m5 : 64 ;
  _Bool : 0;
   union t170 m6 ;
   unsigned short m7 ;
  unsigned short m8 : 4 ;
  unsigned char : 6;
  int m9 : 9 ;
  int m10 : 13 ;
   __int128 m11 ;
} ;
struct  t285 {
  int_at_16 m0 : 10 ;
  unsigned : 0;
  unsigned short m1 : 1 ;
   long double _Complex m2[2][2] ;
   struct t141 m3 ;
} ;
#pragma pack(push, 4)
struct  t286 {
   struct t62 m0 __attribute__((packed, aligned(8)));
   const volatile int m1[2][2] __attribute__((packed));
  _Bool m2 : 1 ;
  unsigned m3 : 2 ;
  unsigned short m4 : 4 ;
  long m5 : 50 ;
} ;
#pragma pack(pop)
struct  t287 {
   long double _Complex m0[0] ;
  char m1 : 1 ;
  unsigned long m2 : 17 ;
  long long m3 : 52 ;
  _Bool m4 : 1 ;
  int m5 : 32 ;
} ;
struct  t288 {
   plain m0[3] ;
  int m1 : 27 ;
  enum colour m2 : 32 ;
  long long : 0;
   long double m3[3] __attribute__((aligned(sizeof(int[1]))));
   int m4 ;
   _Alignas(64) int m5 ;
} ;
#pragma pack(push, 1)
union __attribute__((aligned)) t289 {
   const volatile int m0[3] ;
  union {
   struct t70 m1[2] ;
   int m2[3] ;
  __attribute__((packed)) long_at_2 m3 ;
  } ;
  struct {
  union {
  int : 0;
  } __attribute__((__aligned__(8)));
  enum colour m4 : 23 ;
  } ;
  char m5 : 8 ;
  long m6 : 31 ;
  unsigned long : 12;
  int_at_16 m7 : 14 ;
} ;
#pragma pack(pop)
#pragma pack(push, 1)
struct __attribute__((__aligned__(8))) t290 {
   struct t157 m0[2] ;
   int_at_16 m1 ;
   char m2 ;
  int last[];
} ;
#pragma pack(pop)
union __attribute__((packed)) t291 {
  unsigned char : 4;
  unsigned char m0 : 8 ;
  long long m1 : 64 ;
  enum colour m2 : 19 ;
  struct {
  __attribute__((packed)) struct t159 m3 ;
  unsigned long : 39;
   int m4[0] __attribute__((aligned(sizeof(int[2]))));
  } ;
   long_at_2 m5 __attribute__((packed));
  int m6 : 27 ;
  _Bool m7 : 1 ;
  short m8 : 12 ;
} ;
union  t292 {
  long m0 : 47 ;
  long long m1 : 24 ;
   struct t228 m2[2] __attribute__((packed, aligned(2)));
} ;
struct  t293 {
  struct {
   struct t264 m0 __attribute__((packed));
   char m1 ;
  __attribute__((packed)) struct { char x; double y; } m2 ;
  } __attribute__((__aligned__(16)));
  struct {
  short : 10;
  unsigned char m3 : 8 ;
  short m4 : 6 ;
  unsigned m5 : 18 ;
  } ;
   long double m6 ;
  union {
   long double _Complex m7 ;
   union t87 m8 ;
  } ;
  unsigned char m9 : 5 ;
  char m10 : 7 ;
  char m11 : 1 __attribute__((aligned(1)));
  long long m12 : 64 ;
  struct {
  union {
   enum large m13[2][2] ;
   long double m14 ;
  } __attribute__((packed, aligned(2)));
  char m15 : 2 ;
  unsigned char m16 : 4 ;
  int m17 : 2 ;
  char : 0;
  char m18 : 6 ;
  } ;
} ;
struct  t294 {
  int_at_16 m0 : 8 __attribute__((packed));
  unsigned char : 0;
  enum colour m1 : 31 ;
  enum colour m2 : 6 ;
  short : 0;
  _Bool m3 : 1 ;
  unsigned short m4 : 9 ;
  __attribute__((aligned(8))) char m5 ;
  union {
  int m6 : 2 ;
  unsigned char m7 : 1 ;
  int_at_16 : 1;
  long long m8 : 9 ;
  } ;
  short m9 : 16 ;
} ;
union  t295 {
   int m0[0] ;
  long : 0;
   float m1[0] ;
  unsigned short m2 : 10 ;
  struct {
  __attribute__((packed, aligned(4))) double m3 ;
  __attribute__((aligned(sizeof(int[32])))) struct t178 m4 ;
  } ;
   long_at_2 m5 ;
} __attribute__((packed));
struct  t296 {
  unsigned long m0 : 64 ;
   signed char m1 ;
} ;
struct  t297 {
  unsigned short : 0;
  unsigned char m0 : 3 ;
  char m1 : 4 ;
  int_at_16 m2 : 32 ;
   pair m3 ;
  char : 7;
  char m4 : 7 ;
  unsigned short m5 : 8 ;
} ;
struct __attribute__((aligned)) t298 {
   double m0[2][2] ;
  long long m1 : 64 ;
  long m2 : 9 ;
   unsigned short m3[3] ;
   unsigned m4 ;
  union {
  unsigned char m5 : 6 ;
  short m6 : 16 ;
  long m7 : 2 ;
  enum colour m8 : 32 ;
  } ;
} ;
struct  t299 {
   unsigned short m0 ;
   long double _Complex m1[2][2] __attribute__((aligned(sizeof(int[8]))));
} ;
