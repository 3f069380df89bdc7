/* Operations of reductions on types for which Go has no arithmetic. */
#ifndef FOREIGN_H
#define FOREIGN_H
#include <stddef.h>

enum foreign_op { foreign_sum, foreign_prod, foreign_max, foreign_min, foreign_land, foreign_lor, foreign_lxor, foreign_band, foreign_bor, foreign_bxor, foreign_maxloc, foreign_minloc };
enum foreign_kind { foreign_int128, foreign_float16, foreign_long_double, foreign_float128, foreign_complex32, foreign_long_double_complex, foreign_complex256, foreign_logical16, foreign_long_double_int };

/* left = left op right, n elements each. It returns 0 if there is no such operation, and then does nothing. */
int foreign_combine(int op, int kind, void *left, const void *right, size_t n);
#endif
