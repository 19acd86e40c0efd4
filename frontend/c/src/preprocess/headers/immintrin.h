#pragma once
#include <mm_malloc.h>
/* Vectors of SSE, AVX and AVX-512 with the intrinsics that access memory; the others compute (library_functions). */
typedef long long __m64 __attribute__((vector_size(8)));
typedef float __m128 __attribute__((vector_size(16)));
typedef double __m128d __attribute__((vector_size(16)));
typedef long long __m128i __attribute__((vector_size(16)));
typedef float __m256 __attribute__((vector_size(32)));
typedef double __m256d __attribute__((vector_size(32)));
typedef long long __m256i __attribute__((vector_size(32)));
typedef float __m512 __attribute__((vector_size(64)));
typedef double __m512d __attribute__((vector_size(64)));
typedef long long __m512i __attribute__((vector_size(64)));
typedef unsigned char __mmask8;
typedef unsigned short __mmask16;
typedef unsigned int __mmask32;
typedef unsigned long long __mmask64;
static inline __m128 _mm_load_ps(const void *from) { return *(const __m128 *)from; }
static inline __m128 _mm_loadu_ps(const void *from) { return *(const __m128 *)from; }
static inline void _mm_store_ps(void *to, __m128 from) { *(__m128 *)to = from; }
static inline void _mm_storeu_ps(void *to, __m128 from) { *(__m128 *)to = from; }
static inline void _mm_stream_ps(void *to, __m128 from) { *(__m128 *)to = from; }
static inline __m128d _mm_load_pd(const void *from) { return *(const __m128d *)from; }
static inline __m128d _mm_loadu_pd(const void *from) { return *(const __m128d *)from; }
static inline void _mm_store_pd(void *to, __m128d from) { *(__m128d *)to = from; }
static inline void _mm_storeu_pd(void *to, __m128d from) { *(__m128d *)to = from; }
static inline void _mm_stream_pd(void *to, __m128d from) { *(__m128d *)to = from; }
static inline __m128i _mm_load_si128(const void *from) { return *(const __m128i *)from; }
static inline __m128i _mm_loadu_si128(const void *from) { return *(const __m128i *)from; }
static inline void _mm_store_si128(void *to, __m128i from) { *(__m128i *)to = from; }
static inline void _mm_storeu_si128(void *to, __m128i from) { *(__m128i *)to = from; }
static inline void _mm_stream_si128(void *to, __m128i from) { *(__m128i *)to = from; }
static inline __m256 _mm256_load_ps(const void *from) { return *(const __m256 *)from; }
static inline __m256 _mm256_loadu_ps(const void *from) { return *(const __m256 *)from; }
static inline void _mm256_store_ps(void *to, __m256 from) { *(__m256 *)to = from; }
static inline void _mm256_storeu_ps(void *to, __m256 from) { *(__m256 *)to = from; }
static inline void _mm256_stream_ps(void *to, __m256 from) { *(__m256 *)to = from; }
static inline __m256d _mm256_load_pd(const void *from) { return *(const __m256d *)from; }
static inline __m256d _mm256_loadu_pd(const void *from) { return *(const __m256d *)from; }
static inline void _mm256_store_pd(void *to, __m256d from) { *(__m256d *)to = from; }
static inline void _mm256_storeu_pd(void *to, __m256d from) { *(__m256d *)to = from; }
static inline void _mm256_stream_pd(void *to, __m256d from) { *(__m256d *)to = from; }
static inline __m256i _mm256_load_si256(const void *from) { return *(const __m256i *)from; }
static inline __m256i _mm256_loadu_si256(const void *from) { return *(const __m256i *)from; }
static inline void _mm256_store_si256(void *to, __m256i from) { *(__m256i *)to = from; }
static inline void _mm256_storeu_si256(void *to, __m256i from) { *(__m256i *)to = from; }
static inline void _mm256_stream_si256(void *to, __m256i from) { *(__m256i *)to = from; }
static inline __m512 _mm512_load_ps(const void *from) { return *(const __m512 *)from; }
static inline __m512 _mm512_loadu_ps(const void *from) { return *(const __m512 *)from; }
static inline void _mm512_store_ps(void *to, __m512 from) { *(__m512 *)to = from; }
static inline void _mm512_storeu_ps(void *to, __m512 from) { *(__m512 *)to = from; }
static inline void _mm512_stream_ps(void *to, __m512 from) { *(__m512 *)to = from; }
static inline __m512d _mm512_load_pd(const void *from) { return *(const __m512d *)from; }
static inline __m512d _mm512_loadu_pd(const void *from) { return *(const __m512d *)from; }
static inline void _mm512_store_pd(void *to, __m512d from) { *(__m512d *)to = from; }
static inline void _mm512_storeu_pd(void *to, __m512d from) { *(__m512d *)to = from; }
static inline void _mm512_stream_pd(void *to, __m512d from) { *(__m512d *)to = from; }
static inline __m512i _mm512_load_si512(const void *from) { return *(const __m512i *)from; }
static inline __m512i _mm512_loadu_si512(const void *from) { return *(const __m512i *)from; }
static inline void _mm512_store_si512(void *to, __m512i from) { *(__m512i *)to = from; }
static inline void _mm512_storeu_si512(void *to, __m512i from) { *(__m512i *)to = from; }
static inline void _mm512_stream_si512(void *to, __m512i from) { *(__m512i *)to = from; }
static inline __m512i _mm512_load_epi32(const void *from) { return *(const __m512i *)from; }
static inline __m512i _mm512_loadu_epi32(const void *from) { return *(const __m512i *)from; }
static inline void _mm512_store_epi32(void *to, __m512i from) { *(__m512i *)to = from; }
static inline void _mm512_storeu_epi32(void *to, __m512i from) { *(__m512i *)to = from; }
static inline void _mm512_stream_epi32(void *to, __m512i from) { *(__m512i *)to = from; }
static inline __m512i _mm512_load_epi64(const void *from) { return *(const __m512i *)from; }
static inline __m512i _mm512_loadu_epi64(const void *from) { return *(const __m512i *)from; }
static inline void _mm512_store_epi64(void *to, __m512i from) { *(__m512i *)to = from; }
static inline void _mm512_storeu_epi64(void *to, __m512i from) { *(__m512i *)to = from; }
static inline void _mm512_stream_epi64(void *to, __m512i from) { *(__m512i *)to = from; }
static inline __m128 _mm_load_ss(const void *from) { return (__m128){ *(const float *)from }; }
static inline __m128 _mm_load1_ps(const void *from) { return (__m128){ *(const float *)from }; }
static inline __m128 _mm_load_ps1(const void *from) { return (__m128){ *(const float *)from }; }
static inline __m128 _mm_loadr_ps(const void *from) { return *(const __m128 *)from; }
static inline __m128d _mm_load_sd(const void *from) { return (__m128d){ *(const double *)from }; }
static inline __m128d _mm_load1_pd(const void *from) { return (__m128d){ *(const double *)from }; }
static inline __m128d _mm_load_pd1(const void *from) { return (__m128d){ *(const double *)from }; }
static inline __m128d _mm_loaddup_pd(const void *from) { return (__m128d){ *(const double *)from }; }
static inline __m128d _mm_loadr_pd(const void *from) { return *(const __m128d *)from; }
__PREMISS_LOAD(_mm_loadl_epi64, __m128i, long long)
__PREMISS_LOAD(_mm_loadu_si64, __m128i, long long)
static inline __m128i _mm_loadu_si32(const void *from) { return (__m128i){ *(const int *)from }; }
static inline __m128i _mm_loadu_si16(const void *from) { return (__m128i){ *(const short *)from }; }
static inline __m128i _mm_lddqu_si128(const void *from) { return *(const __m128i *)from; }
static inline __m128i _mm_stream_load_si128(const void *from) { return *(const __m128i *)from; }
static inline __m128 _mm_broadcast_ss(const void *from) { return (__m128){ *(const float *)from }; }
static inline __m256 _mm256_broadcast_ss(const void *from) { return (__m256){ *(const float *)from }; }
static inline __m256d _mm256_broadcast_sd(const void *from) { return (__m256d){ *(const double *)from }; }
static inline __m256 _mm256_broadcast_ps(const void *from) { return (__m256){ *(const __m128 *)from }; }
static inline __m256d _mm256_broadcast_pd(const void *from) { return (__m256d){ *(const __m128d *)from }; }
static inline __m256i _mm256_lddqu_si256(const void *from) { return *(const __m256i *)from; }
static inline __m256i _mm256_stream_load_si256(const void *from) { return *(const __m256i *)from; }
static inline __m128d _mm_loadl_pd(__m128d to, const void *from) { to[0] = *(const double *)from; return to; }
static inline __m128d _mm_loadh_pd(__m128d to, const void *from) { to[0] = *(const double *)from; return to; }
static inline __m128 _mm_loadl_pi(__m128 to, const void *from) { to[0] = *(const __m64 *)from; return to; }
static inline __m128 _mm_loadh_pi(__m128 to, const void *from) { to[0] = *(const __m64 *)from; return to; }
static inline void _mm_store_ss(void *to, __m128 from) { *(float *)to = from[0]; }
static inline void _mm_store1_ps(void *to, __m128 from) { *(__m128 *)to = from; }
static inline void _mm_store_ps1(void *to, __m128 from) { *(__m128 *)to = from; }
static inline void _mm_storer_ps(void *to, __m128 from) { *(__m128 *)to = from; }
static inline void _mm_storel_pi(void *to, __m128 from) { *(__m64 *)to = from[0]; }
static inline void _mm_storeh_pi(void *to, __m128 from) { *(__m64 *)to = from[0]; }
static inline void _mm_store_sd(void *to, __m128d from) { *(double *)to = from[0]; }
static inline void _mm_storel_pd(void *to, __m128d from) { *(double *)to = from[0]; }
static inline void _mm_storeh_pd(void *to, __m128d from) { *(double *)to = from[0]; }
static inline void _mm_store1_pd(void *to, __m128d from) { *(__m128d *)to = from; }
static inline void _mm_store_pd1(void *to, __m128d from) { *(__m128d *)to = from; }
static inline void _mm_storer_pd(void *to, __m128d from) { *(__m128d *)to = from; }
__PREMISS_STORE(_mm_storel_epi64, __m128i, long long)
__PREMISS_STORE(_mm_storeu_si64, __m128i, long long)
static inline void _mm_storeu_si32(void *to, __m128i from) { *(int *)to = from[0]; }
static inline void _mm_storeu_si16(void *to, __m128i from) { *(short *)to = from[0]; }
