/* Functions of Fortran. Debian's libmpichfort.so.12 passes them as if they were of C, and says afterwards that they are not. */
#include "fortran_cells.h"

static inline int is_fortran(void *fn) { return find(fortran.functions, (uintptr_t)fn, NULL); }

/* fortran_copy and fortran_delete call the functions of a keyval of Fortran. They are 0 if it is one of C. */
static inline int fortran_copy(void *fn, int handle, int keyval, void *extra, void *in, void *out, int *flag, int *code) {
	struct known k;
	void *copy = NULL;
	if (!find(fortran.keyvals, (uintptr_t)(unsigned)keyval, &k)) return 0;
	*code = k.copy(fn, handle, keyval, extra, 1, number_of(in), &copy, flag);
	if (!*code && *flag) {
		void *cell = note(fortran.cells, (struct known){.number = (intptr_t)copy});
		if (!cell) *code = MPI_ERR_NO_MEM;
		*(void **)out = cell;
	}
	return 1;
}
static inline int fortran_delete(void *fn, int handle, int keyval, void *value, void *extra, int *code) {
	struct known k;
	if (!find(fortran.keyvals, (uintptr_t)(unsigned)keyval, &k)) return 0;
	*code = k.delete(fn, handle, keyval, 1, number_of(value), extra);
	if (!*code) forget(fortran.cells, (uintptr_t)value);
	return 1;
}

/* keyval_is_new forgets the keyval that had the number before: it may have been one of Fortran. */
static inline void keyval_is_new(int keyval) { forget(fortran.keyvals, (uintptr_t)(unsigned)keyval_out(keyval)); }
