/* What the shim of the standard ABI has for common.h: its values are those of libsctpmpi.so. */
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

/* There is no Fortran in this ABI. */
static inline int fortran_copy(void *fn, int handle, int keyval, void *extra, void *in, void *out, int *flag, int *code) {
	(void)fn, (void)handle, (void)keyval, (void)extra, (void)in, (void)out, (void)flag;
	return *code = 0;
}
static inline int fortran_delete(void *fn, int handle, int keyval, void *value, void *extra, int *code) {
	(void)fn, (void)handle, (void)keyval, (void)value, (void)extra;
	return *code = 0;
}
