/* What the shim of the standard ABI has for common.h: its values are those of libsctpmpi.so. */
#include "no_fortran.h"
#define code_in(code) (code)
#define code_out(code) (code)
#define buffer_in(p) ((void *)(p))
#define weights_in(p) ((int *)(p))
#define pvar_in(h) ((uintptr_t)(h))
#define cancelled(status) ((status)->MPI_internal[2] != 0)
#define set_cancelled(status, flag) ((status)->MPI_internal[2] = (flag))
#define invoke_event NULL
#define invoke_event_free NULL
#define invoke_event_dropped NULL

static inline int invoke_query(void *fn, void *extra, sctpmpi_status *status) {
	return ((MPI_Grequest_query_function *)(uintptr_t)fn)(extra, (MPI_Status *)status);
}

static inline int invoke_free(void *fn, void *extra) { return ((MPI_Grequest_free_function *)(uintptr_t)fn)(extra); }
static inline int invoke_cancel(void *fn, void *extra, int complete) {
	return ((MPI_Grequest_cancel_function *)(uintptr_t)fn)(extra, complete);
}
