/* For ABIs in which no function of the program is one of Fortran. */
#define is_fortran(fn) ((void)(fn), 0)
static inline int fortran_copy(void *fn, int handle, int keyval, void *extra, void *in, void *out, int *flag, int *code) {
	(void)fn, (void)handle, (void)keyval, (void)extra, (void)in, (void)out, (void)flag;
	return *code = 0;
}
static inline int fortran_delete(void *fn, int handle, int keyval, void *value, void *extra, int *code) {
	(void)fn, (void)handle, (void)keyval, (void)value, (void)extra;
	return *code = 0;
}
