/* What the shims of ABIs have in common whose values are not those of libsctpmpi.so. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* A status here that nothing has been written to keeps what the program's has. */
#define UNTOUCHED INT_MIN
#define NO_STATUS ((sctpmpi_status){.source = UNTOUCHED, .error = UNTOUCHED})
#define IGNORED(status) ((uintptr_t)(status) <= 1) /* MPI_STATUS_IGNORE is 0 or 1 */

static inline void status_out(MPI_Status *to, const sctpmpi_status *from);
static inline sctpmpi_status status_in(const MPI_Status *from);

/* The functions of a generalized request. Those of Fortran have all arguments by reference, and the error code as the last. */
static inline int invoke_query(void *fn, void *extra, sctpmpi_status *status) {
	MPI_Status s = {0};
	int code = 0, error = status->error;
	s.MPI_SOURCE = MPI_UNDEFINED;
	s.MPI_TAG = MPI_UNDEFINED;
	if (is_fortran(fn))
		((void (*)(void *, MPI_Status *, int *))(uintptr_t)fn)(extra, &s, &code);
	else
		code = ((MPI_Grequest_query_function *)(uintptr_t)fn)(extra, &s);
	*status = status_in(&s);
	status->error = error;
	return code_in(code);
}
static inline int invoke_free(void *fn, void *extra) {
	int code = 0;
	if (is_fortran(fn))
		((void (*)(void *, int *))(uintptr_t)fn)(extra, &code);
	else
		code = ((MPI_Grequest_free_function *)(uintptr_t)fn)(extra);
	return code_in(code);
}
static inline int invoke_cancel(void *fn, void *extra, int complete) {
	int code = 0;
	if (is_fortran(fn))
		((void (*)(void *, int *, int *))(uintptr_t)fn)(extra, &complete, &code);
	else
		code = ((MPI_Grequest_cancel_function *)(uintptr_t)fn)(extra, complete);
	return code_in(code);
}
#define invoke_event NULL
#define invoke_event_free NULL
#define invoke_event_dropped NULL

/* Copies of arrays are on the stack if they are short. */
enum { FEW = 64 };
static inline void *room(void *few, size_t size, const void *user, int64_t n) {
	if (IGNORED(user)) return NULL;
	if (n <= FEW) return few;
	void *p = malloc((size_t)n * size);
	if (!p) {
		fprintf(stderr, "sctpmpi: no memory for an array of %lld elements\n", (long long)n);
		abort();
	}
	return p;
}
#define ROOM(type, name, length)  \
	int64_t name##_n = (length);  \
	type name##_few[FEW];         \
	type *name##_ = room(name##_few, sizeof name##_few[0], name, name##_n)
#define STATUSES(name, length)             \
	ROOM(sctpmpi_status, name, length);    \
	for (int64_t i = 0; name##_ && i < name##_n; i++) name##_[i] = NO_STATUS
#define UNROOM(name) \
	if (name##_ != name##_few) free(name##_)

/* How many ranks collective operations on a communicator exchange data with. */
static inline int64_t peers(uintptr_t comm) {
	int n = 0;
	(void)sctpmpi_peers(comm, &n);
	return n;
}
static inline int64_t sources(uintptr_t comm) {
	int n = 0, m = 0;
	(void)sctpmpi_neighbors(comm, &n, &m);
	return n;
}
static inline int64_t destinations(uintptr_t comm) {
	int n = 0, m = 0;
	(void)sctpmpi_neighbors(comm, &n, &m);
	return m;
}
