/* What is Open MPI's own: its launcher's variables, extensions, and addresses of objects in tables. With -DPLUGIN the program loads it. */
#ifdef PLUGIN
#include <dlfcn.h>
#include <stdio.h>

/* As Python loads modules, whose names others do not see. */
int main(int argc, char **argv) {
	void *module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	int (*run)(int, char **) = NULL;
	if (module) *(void **)&run = dlsym(module, "main");
	if (!run) return fprintf(stderr, "%s\n", dlerror());
	return run(argc, argv);
}
#else
#include "../check.h"

#ifndef MPIX_Barrier_init
int MPIX_Barrier_init(MPI_Comm, MPI_Info, MPI_Request *);
int PMPIX_Allreduce_init(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request *);
int MPIX_Query_cuda_support(void);
#endif

static MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_C_DOUBLE_COMPLEX, MPI_LONG_LONG, MPI_BYTE, MPI_REAL16, MPI_INTEGER1, MPI_LOGICAL2};
static const int sizes[] = {4, 8, 16, 8, 1, 16, 1, 2};

static int number(const char *name) { return getenv(name) ? atoi(getenv(name)) : -1; }

static void variables(void) {
	CHECK(number("OMPI_COMM_WORLD_RANK") == rank && number("OMPI_COMM_WORLD_SIZE") == size);
	CHECK(number("OMPI_COMM_WORLD_LOCAL_RANK") == rank && number("OMPI_COMM_WORLD_LOCAL_SIZE") == size);
	CHECK(number("OMPI_COMM_WORLD_NODE_RANK") == rank && number("OMPI_UNIVERSE_SIZE") == size);
}

/* Each code is a class, and has the text of what has happened. */
static void codes(void) {
	char text[MPI_MAX_ERROR_STRING];
	int x = 0, length, last, *attribute, flag;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	CHECK(MPI_Send(&x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD) == MPI_ERR_RANK);
	OK(MPI_Error_string(MPI_ERR_RANK, text, &length));
	CHECK(strstr(text, "99") && (int)strlen(text) == length);
	for (int class = 1; class <= MPI_T_ERR_INVALID_NAME; class++) OK(MPI_Error_class(class, &last));
	CHECK(MPI_Error_class(MPI_ERR_LASTCODE - 1, &last) != MPI_SUCCESS);
	OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &attribute, &flag));
	CHECK(flag && *attribute == MPI_ERR_LASTCODE);
	OK(MPI_Add_error_class(&last));
	CHECK(last > MPI_ERR_LASTCODE);
}

static void persistent(void) {
	MPI_Request r[2];
	int one = 1, sum = 0;
	OK(MPIX_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]));
	OK(PMPIX_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]));
	OK(MPI_Startall(2, r));
	OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
	CHECK(sum == size && MPIX_Query_cuda_support() == 0);
	OK(MPI_Request_free(&r[0]));
	OK(MPI_Request_free(&r[1]));
}

static void handles(void) {
	MPI_Comm c;
	MPI_Datatype t;
	CHECK(MPI_Comm_c2f(MPI_COMM_WORLD) == 0 && MPI_Type_c2f(MPI_INT) == 39 && MPI_Op_c2f(MPI_SUM) == 3);
	CHECK(MPI_Comm_f2c(1) == MPI_COMM_SELF && MPI_Type_f2c(46) == MPI_DOUBLE && !MPI_Group_f2c(77) && !MPI_Comm_f2c(-1));
	OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
	CHECK(MPI_Comm_c2f(c) > 0 && MPI_Comm_f2c(MPI_Comm_c2f(c)) == c);
	OK(MPI_Comm_free(&c));
	OK(MPI_Type_contiguous(2, MPI_INT, &t));
	int integers[1];
	MPI_Aint addresses[1];
	MPI_Datatype of[1];
	OK(MPI_Type_get_contents(t, 1, 0, 1, integers, addresses, of));
	CHECK(of[0] == MPI_INT);
	OK(MPI_Type_free(&t));
	for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++) {
		int n;
		OK(MPI_Type_size(types[i], &n));
		CHECK(n == sizes[i]);
	}
}

/* Whatever is passed for a handle is found out, and not looked behind. */
static void wrong(void) {
	static char junk[512];
	const unsigned long made = 1ul << 62;
	void *none[] = {NULL, (void *)1, (void *)0x101, (void *)0x44000000, (void *)-1l, junk, junk + 1, (void *)made, (void *)(made | 0x101),
		(void *)(made | 0x8000000), (void *)(made | 0x7fffffff), (void *)(1ul << 63 | 0x101), (void *)0x2000000000, MPI_BYTE, MPI_MAX, MPI_WIN_NULL, MPI_COMM_NULL};
	int x = 0, flag;
	void *value;
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++) {
		MPI_Request r = none[i];
		MPI_File f = none[i];
		FAILS(MPI_ERR_COMM, MPI_Comm_rank(none[i], &x));
		FAILS(MPI_ERR_REQUEST, MPI_Wait(&r, MPI_STATUS_IGNORE));
		FAILS(MPI_ERR_FILE, MPI_File_close(&f));
		FAILS(MPI_ERR_GROUP, MPI_Group_size(none[i], &x));
		FAILS(MPI_ERR_WIN, MPI_Win_fence(0, none[i]));
		FAILS(MPI_ERR_INFO, MPI_Info_set(none[i], "a", "b"));
		if (none[i] != MPI_BYTE) FAILS(MPI_ERR_TYPE, MPI_Type_size(none[i], &x));
		if (none[i] != MPI_MAX) FAILS(MPI_ERR_OP, MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, none[i], MPI_COMM_SELF));
		MPI_Comm_c2f(none[i]);
	}
	for (int key = -3; key < 100; key++) MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
}

/* No library of Open MPI's is there. */
static void alone(void) {
	char line[4096];
	FILE *maps = fopen("/proc/self/maps", "r");
	CHECK(maps);
	while (fgets(line, sizeof line, maps)) CHECK(!strstr(line, "libopen-"));
	fclose(maps);
}

int main(int argc, char **argv) {
	char version[MPI_MAX_LIBRARY_VERSION_STRING];
	int length;
	begin(&argc, &argv);
	OK(MPI_Get_library_version(version, &length));
	CHECK(!strncmp(version, "Open MPI v4.1.4", 15) && strstr(version, "sctpmpi") && (int)strlen(version) == length);
	if (!getenv("SCRIPT")) variables();
	codes();
	persistent();
	handles();
	wrong();
	alone();
	end();
	return 0;
}
#endif
