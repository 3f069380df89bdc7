/* What the ABIs have different numbers for, and results with no place. */
#include "check.h"

static void version(void) {
	int major, minor;
	OK(MPI_Get_version(&major, &minor));
	CHECK(major == MPI_VERSION && minor == MPI_SUBVERSION);
	FAILS(MPI_ERR_ARG, MPI_Get_version(NULL, &minor));
}

/* A call that fails writes nothing but the count. */
static void statuses(void) {
	enum { N = 100, MORE = 1000000000 };
	MPI_Status s[N];
	MPI_Request r, old;
	int x, n = MORE, index[1];
	OK(MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r));
	old = r;
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	memset(s, 0x5a, sizeof s);
	FAILS(MPI_ERR_REQUEST, MPI_Waitsome(1, &old, &n, index, s));
	CHECK(n == 0);
	n = MORE;
	FAILS(MPI_ERR_REQUEST, MPI_Testsome(1, &old, &n, index, s));
	CHECK(n == 0);
	n = MORE;
	FAILS(MPI_ERR_ARG, MPI_Testsome(-1, &old, &n, index, s));
	CHECK(n == 0);
	n = MORE;
	FAILS(MPI_ERR_REQUEST, MPI_Request_get_status_some(1, &old, &n, index, s));
	CHECK(n == 0);
	for (size_t i = 0; i < sizeof s; i++) CHECK(((char *)s)[i] == 0x5a);
	r = MPI_REQUEST_NULL;
	OK(MPI_Waitsome(1, &r, &n, index, s));
	CHECK(n == MPI_UNDEFINED);
	for (size_t i = 0; i < sizeof s; i++) CHECK(((char *)s)[i] == 0x5a);
}

/* Numbers of keyvals are used again, and are none of a predefined one at any time. */
static void keyvals(void) {
	void *value;
	int x, key, flag;
	for (int i = 0; i < 300; i++) {
		OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL));
		OK(MPI_Comm_set_attr(MPI_COMM_WORLD, key, &x));
		OK(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag));
		CHECK(flag && value == &x);
		FAILS(MPI_ERR_ARG, MPI_Comm_get_attr(MPI_COMM_WORLD, key, NULL, &flag));
		OK(MPI_Comm_delete_attr(MPI_COMM_WORLD, key));
		OK(MPI_Comm_free_keyval(&key));
		OK(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL));
		OK(MPI_Type_set_attr(MPI_INT, key, &x));
		OK(MPI_Type_get_attr(MPI_INT, key, &value, &flag));
		CHECK(flag && value == &x);
		FAILS(MPI_ERR_ARG, MPI_Type_get_attr(MPI_INT, key, NULL, &flag));
		OK(MPI_Type_delete_attr(MPI_INT, key));
		OK(MPI_Type_free_keyval(&key));
	}
}

#ifdef MPICH
/* Debian's library for Fortran says so that a keyval is one of Fortran. A later one of C with its number is not. */
typedef int copy_proxy(void *fn, int handle, int keyval, void *extra, int kind, void *value, void **copy, int *flag);
typedef int delete_proxy(void *fn, int handle, int keyval, int kind, void *value, void *extra);
void MPII_Keyval_set_proxy(int keyval, copy_proxy *copy, delete_proxy *delete);
static int proxied;
static int copy_of_fortran(void *fn, int handle, int keyval, void *extra, int kind, void *value, void **copy, int *flag) {
	(void)fn, (void)handle, (void)keyval, (void)extra, (void)kind, (void)value, (void)copy;
	proxied++;
	return *flag = 0;
}
static int delete_of_fortran(void *fn, int handle, int keyval, int kind, void *value, void *extra) {
	(void)fn, (void)handle, (void)keyval, (void)kind, (void)value, (void)extra;
	proxied++;
	return 0;
}
static int copied;
static int copy(MPI_Comm c, int keyval, void *extra, void *in, void *out, int *flag) {
	(void)c, (void)keyval, (void)extra;
	*(void **)out = in;
	*flag = 1;
	copied++;
	return MPI_SUCCESS;
}
static void languages(void) {
	int first, key, rounds = 0;
	MPI_Comm c;
	OK(MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL));
	MPII_Keyval_set_proxy(first = key, copy_of_fortran, delete_of_fortran);
	do {
		OK(MPI_Comm_free_keyval(&key));
		OK(MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL));
		CHECK(++rounds < 1000);
	} while (key != first);
	OK(MPI_Comm_set_attr(MPI_COMM_SELF, key, &c));
	OK(MPI_Comm_dup(MPI_COMM_SELF, &c));
	CHECK(copied == 1 && proxied == 0);
	OK(MPI_Comm_free(&c));
	OK(MPI_Comm_delete_attr(MPI_COMM_SELF, key));
	OK(MPI_Comm_free_keyval(&key));
}
#else
static void languages(void) {}
#endif

/* Each error has its text, also one of a class that MPICH's ABI does not have. */
static void classes(void) {
#ifdef MPI_ERR_ERRHANDLER
	const int class = MPI_ERR_ERRHANDLER;
#else
	const int class = MPI_ERR_ARG;
	int of, wrong = MPI_Error_class(MPI_ERR_LASTCODE == 92 ? 91 : 54, &of); /* no class of this ABI */
	CHECK(wrong != MPI_SUCCESS);
#endif
	char text[MPI_MAX_ERROR_STRING], plain[MPI_MAX_ERROR_STRING];
	int length, code = MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRHANDLER_NULL);
	FAILS(class, code);
	OK(MPI_Error_string(code, text, &length));
	OK(MPI_Error_string(class, plain, &length));
	CHECK(strstr(text, "handler"));
#ifdef OPEN_MPI
	CHECK(code == class && !strcmp(text, plain)); /* the text is that of the last error of the class */
#else
	CHECK(strcmp(text, plain));
#endif
}

/* A datatype is made again from its contents. Of the array only what there is is written. */
static void contents(void) {
	enum { N = 20 };
	const int size = 200, distribution = MPI_DISTRIBUTE_CYCLIC, processes = 2;
	const MPI_Count large = 200;
	for (int k = 18; k <= 21; k++) {
		int block = k == 21 ? MPI_DISTRIBUTE_DFLT_DARG : k, bytes, integers[N];
#if MPI_VERSION >= 5
		if (k == 19) continue; /* it is MPI_DISTRIBUTE_DFLT_DARG */
#endif
		MPI_Aint addresses[N], low, extent;
		MPI_Count counts[N];
		MPI_Datatype array, types[N];
		for (int wide = 0; wide < 2; wide++) {
			for (int i = 0; i < N; i++) integers[i] = -77, types[i] = MPI_DATATYPE_NULL;
			if (wide) {
				OK(MPI_Type_create_darray_c(2, 0, 1, &large, &distribution, &block, &processes, MPI_ORDER_FORTRAN, MPI_INT, &array));
				OK(MPI_Type_get_contents_c(array, N, N, N, N, integers, addresses, counts, types));
			} else {
				OK(MPI_Type_create_darray(2, 0, 1, &size, &distribution, &block, &processes, MPI_ORDER_FORTRAN, MPI_INT, &array));
				OK(MPI_Type_get_contents(array, N, N, N, integers, addresses, types));
			}
			CHECK(integers[4] == MPI_DISTRIBUTE_CYCLIC && integers[5] == block && integers[6] == 2 && integers[7] == MPI_ORDER_FORTRAN);
			CHECK(types[0] == MPI_INT);
			for (int i = 1; i < N; i++) CHECK(types[i] == MPI_DATATYPE_NULL);
			for (int i = 8; i < N; i++) CHECK(integers[i] == -77);
			OK(MPI_Type_get_true_extent(array, &low, &extent));
			OK(MPI_Type_size(array, &bytes));
			int length = k == 21 ? 1 : k, mine = 0, end = 0;
			for (int i = 0; i < size; i++)
				if (i / length % 2 == 0) mine++, end = i + 1;
			CHECK(low == 0 && bytes == mine * (int)sizeof(int) && extent == end * (int)sizeof(int));
			OK(MPI_Type_free(&array));
		}
	}
	const int none = MPI_DISTRIBUTE_DFLT_DARG == -1 ? -2 : -1;
	MPI_Datatype array;
	FAILS(MPI_ERR_ARG, MPI_Type_create_darray(2, 0, 1, &size, &distribution, &none, &processes, MPI_ORDER_C, MPI_INT, &array));
}

/* A number that is a constant of the other ABI is none here. */
static void constants(void) {
	int x = 1, y = 0;
	MPI_Request r;
	OK(MPI_Isend(&x, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &r));
	for (int tag = -2; tag < 0; tag++)
		if (tag != MPI_ANY_TAG) FAILS(MPI_ERR_TAG, MPI_Recv(&y, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	for (int peer = -5; peer < 0; peer++)
		if (peer != MPI_ANY_SOURCE && peer != MPI_PROC_NULL)
			FAILS(MPI_ERR_RANK, MPI_Recv(&y, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	OK(MPI_Recv(&y, 1, MPI_INT, rank, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	CHECK(y == 1);
}

/* A pointer as result needs a place. */
static void places(void) {
	int size, unit, flag, *memory = NULL;
	MPI_Aint bytes;
	MPI_Win w;
	FAILS(MPI_ERR_ARG, MPI_Alloc_mem(8, MPI_INFO_NULL, NULL));
	FAILS(MPI_ERR_ARG, MPI_Buffer_detach(NULL, &size));
	FAILS(MPI_ERR_ARG, MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, NULL, &w));
	FAILS(MPI_ERR_ARG, MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, NULL, &w));
	OK(MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &w));
	MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN);
	FAILS(MPI_ERR_ARG, MPI_Win_shared_query(w, rank, &bytes, &unit, NULL));
	FAILS(MPI_ERR_ARG, MPI_Win_get_attr(w, MPI_WIN_SIZE, NULL, &flag));
	OK(MPI_Win_free(&w));
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	version();
	statuses();
	keyvals();
	languages();
	classes();
	contents();
	constants();
	places();
	end();
}
