#include <string.h>
#include "foreign.h"

typedef struct {
	long double value;
	int index;
} long_double_int;

/* Elements in messages are at any address: they are copied, which compilers make one load. */
#define EACH(T, expression)                                                    \
	for (size_t i = 0; i < n; i++) {                                           \
		T l, r;                                                                \
		memcpy(&l, (char *)left + i * sizeof l, sizeof l);                     \
		memcpy(&r, (const char *)right + i * sizeof r, sizeof r);              \
		l = (expression);                                                      \
		memcpy((char *)left + i * sizeof l, &l, sizeof l);                     \
	}                                                                          \
	return 1;

#define LOGICAL(T)                                                             \
	case foreign_land: EACH(T, l != 0 && r != 0)                               \
	case foreign_lor: EACH(T, l != 0 || r != 0)                                \
	case foreign_lxor: EACH(T, (l != 0) != (r != 0))
#define NUMBER(T)                                                              \
	LOGICAL(T)                                                                 \
	case foreign_sum: EACH(T, l + r)                                           \
	case foreign_prod: EACH(T, l * r)
/* NaN if either is. */
#define ORDERED(T)                                                             \
	NUMBER(T)                                                                  \
	case foreign_max: EACH(T, l > r || l != l ? l : r)                         \
	case foreign_min: EACH(T, l < r || l != l ? l : r)
#define BITS(T)                                                                \
	case foreign_band: EACH(T, l &r)                                           \
	case foreign_bor: EACH(T, l | r)                                           \
	case foreign_bxor: EACH(T, l ^ r)

#define COMBINE(name, T, operations)                                           \
	static int name(int op, void *left, const void *right, size_t n) {         \
		switch (op) { operations }                                             \
		return 0;                                                              \
	}

COMBINE(combine_long_double, long double, ORDERED(long double))
COMBINE(combine_long_double_complex, long double _Complex, NUMBER(long double _Complex))

/* The value further out, and where values are equal the smaller index. */
#define FURTHER(before) EACH(long_double_int, r.value before l.value || (!(l.value before r.value) && r.index < l.index) ? r : l)
COMBINE(combine_long_double_int, long_double_int, case foreign_maxloc: FURTHER(>) case foreign_minloc: FURTHER(<))

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 int128;
COMBINE(combine_int128, int128, ORDERED(int128) BITS(int128))
COMBINE(combine_logical16, int128, LOGICAL(int128))
#endif
#ifdef __FLT16_MAX__
typedef _Float16 float16;
typedef _Float16 _Complex complex32;
COMBINE(combine_float16, float16, ORDERED(float16))
COMBINE(combine_complex32, complex32, NUMBER(complex32))
#endif
#ifdef __FLT128_MAX__
typedef _Float128 float128;
typedef _Float128 _Complex complex256;
COMBINE(combine_float128, float128, ORDERED(float128))
COMBINE(combine_complex256, complex256, NUMBER(complex256))
#endif

int foreign_combine(int op, int kind, void *left, const void *right, size_t n) {
	switch (kind) {
	case foreign_long_double: return combine_long_double(op, left, right, n);
	case foreign_long_double_complex: return combine_long_double_complex(op, left, right, n);
	case foreign_long_double_int: return combine_long_double_int(op, left, right, n);
#ifdef __SIZEOF_INT128__
	case foreign_int128: return combine_int128(op, left, right, n);
	case foreign_logical16: return combine_logical16(op, left, right, n);
#endif
#ifdef __FLT16_MAX__
	case foreign_float16: return combine_float16(op, left, right, n);
	case foreign_complex32: return combine_complex32(op, left, right, n);
#endif
#ifdef __FLT128_MAX__
	case foreign_float128: return combine_float128(op, left, right, n);
	case foreign_complex256: return combine_complex256(op, left, right, n);
#endif
	}
	return 0;
}
