/* How programs in Fortran call MPI, as gfortran compiles them for Open MPI's ABI: all arguments by reference, the lengths of texts at the end,
   handles as integers, .true. as 1. */
#include "fortran_cells.h"

/* Each function has the names that compilers of Fortran give it, and those of Open MPI's bindings for Fortran 2008. */
#define FORTRAN_ALIAS(name, of) __typeof__(of) name __attribute__((weak, alias(#of)));
#define FORTRAN_MANGLED(Name, name, NAME, of)                                              \
	FORTRAN_ALIAS(Name##_f, of) FORTRAN_ALIAS(Name##_f08, of) FORTRAN_ALIAS(NAME, of)      \
	FORTRAN_ALIAS(name, of) FORTRAN_ALIAS(name##_, of) FORTRAN_ALIAS(name##__, of)
#define FORTRAN_NAMES(X, x, Name, name, NAME)                                                                  \
	FORTRAN_MANGLED(MPI##X##_##Name, mpi##x##_##name, MPI##X##_##NAME, ompi##x##_##name##_f)                   \
	FORTRAN_MANGLED(PMPI##X##_##Name, pmpi##x##_##name, PMPI##X##_##NAME, ompi##x##_##name##_f)

/* A number that is no handle is passed on, so that the error says it. */
static inline void *fortran_handle(int kind, MPI_Fint number) {
	void *handle = fortran_in(kind, number);
	return handle ? handle : (void *)(uintptr_t)(unsigned)number;
}

/* Variables of Fortran stand for what are small addresses in C. */
static inline void *fortran_buffer(void *p) {
	if (p == mpi_fortran_bottom_) return MPI_BOTTOM;
	return p == mpi_fortran_in_place_ ? MPI_IN_PLACE : p;
}
static inline int *fortran_weights(MPI_Fint *p) {
	if ((void *)p == mpi_fortran_unweighted_) return MPI_UNWEIGHTED;
	return (void *)p == mpi_fortran_weights_empty_ ? MPI_WEIGHTS_EMPTY : p;
}
/* A status has the same form, and is MPI_STATUS_SIZE integers. */
static inline MPI_Status *fortran_status(void *p) {
	return p == mpi_fortran_status_ignore_ || p == mpi_fortran_statuses_ignore_ ? MPI_STATUS_IGNORE : p;
}

/* text_in is a text of Fortran without the blanks at its end, and at its beginning if that is said. */
static char *text_in(const char *text, int length, bool both) {
	while (length > 0 && text[length - 1] == ' ') length--;
	for (; both && length > 0 && *text == ' '; length--) text++;
	if (length < 0) length = 0;
	char *copy = malloc((size_t)length + 1);
	if (!copy) {
		fprintf(stderr, "sctpmpi: no memory for a text of %d characters\n", length);
		abort();
	}
	memcpy(copy, text, (size_t)length);
	copy[length] = 0;
	return copy;
}
/* text_out fills a text of Fortran, with blanks at its end. What is too long is cut. */
static void text_out(const char *from, char *text, int length) {
	if (length <= 0) return;
	size_t n = strnlen(from, (size_t)length);
	memcpy(text, from, n);
	memset(text + n, ' ', (size_t)length - n);
}
