/* What the shim of Open MPI's ABI has for common.h: handles are pointers, a status is shorter, and constants have other numbers. */
#include "no_fortran.h"

enum { HANDLES = sizeof predefined / sizeof predefined[0] };
_Static_assert(2 * HANDLES < PLACES, "the table of predefined handles has empty places");

__attribute__((constructor(101))) static void find_handles(void) {
	for (unsigned i = 0; i < HANDLES; i++) {
		uintptr_t address = (uintptr_t)predefined[i].object;
		unsigned at = place(address);
		while (by_address[at].address) at = (at + 1) % PLACES;
		by_address[at].address = address;
		by_address[at].number = predefined[i].number;
		by_number[predefined[i].number] = predefined[i].object;
		fortran_of[predefined[i].number] = predefined + i;
		of_fortran[predefined[i].kind][predefined[i].fortran] = (unsigned short)predefined[i].number;
	}
}

/* Codes are classes, as programs of Open MPI compare them with classes; what they add is above MPI_ERR_LASTCODE. The text of an
   error is that of the last one of its class on this thread. */
enum { CLASS_MASK = 127, LAST_CLASS = 62, CLASS_ERRHANDLER = 61, LAST_CODE = 16383, LAST_OWN_CLASS = MPI_ERR_ABI };
static __thread int last_code;
static inline int code_class(int code) {
	if (code > LAST_CODE) return code;
	int class = code & CLASS_MASK;
	if (class == CLASS_ERRHANDLER) return MPI_ERR_ARG; /* as in MPI 3.1 */
	return class_out(class <= LAST_CLASS || (class >= 101 && class <= 103) ? class : code);
}
static inline int code_out(int code) {
	if (code > CLASS_MASK && code < LAST_CODE) last_code = code;
	return code_class(code);
}
static inline int code_in(int code) {
	if (code == MPI_ERR_LASTCODE) return LAST_CODE;
	return code > LAST_OWN_CLASS && code <= LAST_CODE ? CLASS_MASK : class_in(code);
}

static inline void *buffer_in(const void *p) { return (void *)(uintptr_t)p; }
static inline int *weights_in(const int *p) { return p == MPI_UNWEIGHTED ? (int *)10 : p == MPI_WEIGHTS_EMPTY ? (int *)11 : (int *)(uintptr_t)p; }
#define pvar_in(h) ((h) == MPI_T_PVAR_ALL_HANDLES ? 1 : (uintptr_t)(h))

/* Predefined functions of attributes are not called. */
static inline void *function_in(uintptr_t fn) {
#define IS(name) (fn == (uintptr_t)OMPI_C_MPI_##name)
	if (IS(COMM_DUP_FN) || IS(TYPE_DUP_FN) || IS(WIN_DUP_FN) || IS(DUP_FN)) return (void *)1;
	if (IS(COMM_NULL_COPY_FN) || IS(TYPE_NULL_COPY_FN) || IS(WIN_NULL_COPY_FN) || IS(NULL_COPY_FN)) return NULL;
	if (IS(COMM_NULL_DELETE_FN) || IS(TYPE_NULL_DELETE_FN) || IS(WIN_NULL_DELETE_FN) || IS(NULL_DELETE_FN)) return NULL;
#undef IS
	return (void *)fn;
}
#define FUNCTION(fn) function_in((uintptr_t)(fn))
#define keyval_is_new(keyval) ((void)(keyval))

#include "converts.h"

#define cancelled(status) ((status)->_cancelled != 0)
#define set_cancelled(status, flag) ((status)->_cancelled = (flag))

static inline void status_out(MPI_Status *to, const sctpmpi_status *from) {
	if (from->source != UNTOUCHED) {
		to->MPI_SOURCE = rank_out(from->source);
		to->MPI_TAG = tag_out(from->tag);
		to->_cancelled = from->reserved[2];
		to->_ucount = (size_t)(unsigned)from->reserved[1] << 32 | (unsigned)from->reserved[0];
	}
	if (from->error != UNTOUCHED) to->MPI_ERROR = code_out(from->error);
}
/* The error is the program's only: what receives one message leaves it as it was. */
static inline sctpmpi_status status_in(const MPI_Status *from) {
	if (IGNORED(from)) return NO_STATUS;
	return (sctpmpi_status){rank_in(from->MPI_SOURCE), tag_in(from->MPI_TAG), UNTOUCHED,
		{(int)from->_ucount, (int)(from->_ucount >> 32), from->_cancelled != 0}};
}

/* Handles in Fortran: those of predefined objects have numbers of Open MPI's, others are the canonical ones. What is none is -1. */
static inline int fortran_out(int kind, const void *handle) {
	uintptr_t h = handle_in(handle);
	if (h >= FIRST_MADE && h <= INT32_MAX) return (int)h;
	return h < NUMBERS && fortran_of[h] && fortran_of[h]->kind == kind ? fortran_of[h]->fortran : -1;
}
static inline void *fortran_in(int kind, int number) {
	if (number >= FIRST_MADE) return handle_out((uintptr_t)number);
	return number >= 0 && number < NUMBERS ? handle_out(of_fortran[kind][number]) : NULL;
}

/* MPI's functions for handles as integers, and for handles of Fortran, are the same. */
#define HANDLE_AS_INT(name, type, argument)                                                                    \
	int PMPI_##name##_toint(type argument) { return fortran_out(OF_##argument, argument); }                    \
	type PMPI_##name##_fromint(int argument) { return fortran_in(OF_##argument, argument); }                   \
	MPI_Fint PMPI_##name##_c2f(type argument) { return fortran_out(OF_##argument, argument); }                 \
	type PMPI_##name##_f2c(MPI_Fint argument) { return fortran_in(OF_##argument, argument); }                  \
	MPI_Fint MPI_##name##_c2f(type) __attribute__((weak, alias("PMPI_" #name "_c2f")));                        \
	type MPI_##name##_f2c(MPI_Fint) __attribute__((weak, alias("PMPI_" #name "_f2c")));
#define OF_comm OF_COMM
#define OF_errhandler OF_ERRHANDLER
#define OF_file OF_FILE
#define OF_group OF_GROUP
#define OF_info OF_INFO
#define OF_message OF_MESSAGE
#define OF_op OF_OP
#define OF_request OF_REQUEST
#define OF_session OF_SESSION
#define OF_datatype OF_TYPE
#define OF_win OF_WIN
