/* What the shim of MPICH's ABI has for common.h: handles are ints, a status is shorter, and constants have other numbers. */
#include "mpich_fortran.h"

/* Error codes have the class in the low bits. What programs add is above all those, in MPICH's ABI from bit 30 on. */
enum { CLASS_MASK = 127, LAST_CLASS = 62, LAST_CODE = 16383, ADDED = 1 << 30 };
/* Those of failures, which are not in the standard, and have the same numbers in both ABIs. */
static inline int of_failures(int class) { return class >= MPIX_ERR_PROC_FAILED && class <= MPIX_ERR_REVOKED; }

/* Classes that MPICH's ABI does not have: others stand for them, and a bit in a code with a text, which is found by it. 54 is a class
   of the standard's only. */
enum { CLASS_ERRHANDLER = 61, CLASS_ABI = 62, NO_CLASS = CLASS_MASK, STANDS_FOR = 1 << 14 };
static inline int without_class(int code, int class) { return (code > CLASS_MASK ? (code & ~CLASS_MASK) | STANDS_FOR : 0) | class; }

static inline int code_out(int code) {
	if (code > LAST_CODE) return code | ADDED;
	int class = code & CLASS_MASK;
	if (class == CLASS_ERRHANDLER) return without_class(code, MPI_ERR_ARG);
	if (class == CLASS_ABI) return without_class(code, MPI_ERR_OTHER);
	if (class > LAST_CLASS && !of_failures(class)) return class_out(code);
	return (code & ~CLASS_MASK) | class_out(class);
}
static inline int code_in(int code) {
	if (code == MPI_ERR_LASTCODE) return LAST_CODE;
	if (code & ADDED) return code & ~ADDED;
	int class = code & CLASS_MASK;
	if (code > 0 && code & STANDS_FOR) return (code & ~(CLASS_MASK | STANDS_FOR)) | (class == MPI_ERR_ARG ? CLASS_ERRHANDLER : CLASS_ABI);
	class = class == 54 ? NO_CLASS : class_in(class);
	return class > CLASS_MASK ? class : (code & ~CLASS_MASK) | class;
}

static inline void *buffer_in(const void *p) { return p == MPI_IN_PLACE ? (void *)1 : (void *)(uintptr_t)p; }
static inline int *weights_in(const int *p) { return p == MPI_UNWEIGHTED ? (int *)10 : p == MPI_WEIGHTS_EMPTY ? (int *)11 : (int *)(uintptr_t)p; }
#define pvar_in(h) ((h) == MPI_T_PVAR_ALL_HANDLES ? 1 : (uintptr_t)(h))

#define FUNCTION(fn) ((uintptr_t)(fn) == (uintptr_t)MPIR_Dup_fn ? (void *)1 : (void *)(uintptr_t)(fn))

#include "converts.h"

#define cancelled(status) ((status)->count_hi_and_cancelled & 1)
#define set_cancelled(status, flag) ((status)->count_hi_and_cancelled = ((status)->count_hi_and_cancelled & ~1) | (flag))

static inline void status_out(MPI_Status *to, const sctpmpi_status *from) {
	if (from->source != UNTOUCHED) {
		to->MPI_SOURCE = rank_out(from->source);
		to->MPI_TAG = tag_out(from->tag);
		to->count_lo = from->reserved[0];
		to->count_hi_and_cancelled = (int)((unsigned)from->reserved[1] << 1) | from->reserved[2];
	}
	if (from->error != UNTOUCHED) to->MPI_ERROR = code_out(from->error);
}
/* The error is the program's only: what receives one message leaves it as it was. */
static inline sctpmpi_status status_in(const MPI_Status *from) {
	if (IGNORED(from)) return NO_STATUS;
	return (sctpmpi_status){rank_in(from->MPI_SOURCE), tag_in(from->MPI_TAG), UNTOUCHED,
		{from->count_lo, (int)((unsigned)from->count_hi_and_cancelled >> 1), from->count_hi_and_cancelled & 1}};
}
