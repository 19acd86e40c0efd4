#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) ((void)(__VA_ARGS__))
#endif
#undef static_assert
#define static_assert _Static_assert
