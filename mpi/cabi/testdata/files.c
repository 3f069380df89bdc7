/* Files: opening, views, all kinds of access, errors. They are in TMPDIR. */
#include "check.h"
#include <signal.h>
#include <sys/resource.h>

static char path[4096];

/* Ranks see each other's elements in turn, and read what they have written in all ways. */
static void accesses(void) {
	MPI_File f;
	MPI_Status s;
	MPI_Request r;
	MPI_Offset at, disp;
	MPI_Datatype every, etype, filetype;
	MPI_Aint extent;
	char rep[MPI_MAX_DATAREP_STRING];
	int n, mine[4], got[4];
	for (int i = 0; i < 4; i++) mine[i] = 100 * rank + i;
	OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f));
	OK(MPI_File_get_amode(f, &n));
	CHECK(n == (MPI_MODE_CREATE | MPI_MODE_RDWR));
	OK(MPI_Type_vector(4, 1, size, MPI_INT, &every));
	OK(MPI_Type_commit(&every));
	OK(MPI_File_set_view(f, (MPI_Offset)sizeof(int) * rank, MPI_INT, every, "native", MPI_INFO_NULL));
	OK(MPI_Type_free(&every));
	OK(MPI_File_get_view(f, &disp, &etype, &filetype, rep));
	CHECK(disp == (MPI_Offset)sizeof(int) * rank && etype == MPI_INT && filetype != MPI_INT && !strcmp(rep, "native"));
	OK(MPI_Type_free(&filetype));
	OK(MPI_File_get_type_extent(f, MPI_INT, &extent));
	CHECK(extent == sizeof(int));
	OK(MPI_File_write_all(f, mine, 4, MPI_INT, &s));
	OK(MPI_Get_count(&s, MPI_INT, &n));
	CHECK(n == 4);
	OK(MPI_File_get_position(f, &at));
	CHECK(at == 4);
	OK(MPI_File_seek(f, -3, MPI_SEEK_CUR));
	OK(MPI_File_read(f, got, 3, MPI_INT, MPI_STATUS_IGNORE));
	CHECK(!memcmp(got, mine + 1, 3 * sizeof(int)));
	OK(MPI_File_iread_at(f, 0, got, 4, MPI_INT, &r));
	OK(MPI_Wait(&r, &s));
	OK(MPI_Get_count(&s, MPI_INT, &n));
	CHECK(n == 4 && !memcmp(got, mine, sizeof(mine)));
	OK(MPI_File_read_at_all_begin(f, 1, got, 2, MPI_INT));
	OK(MPI_File_read_at_all_end(f, got, &s));
	OK(MPI_Get_count(&s, MPI_INT, &n));
	CHECK(n == 2 && got[1] == mine[2]);
	OK(MPI_File_get_byte_offset(f, 1, &disp));
	CHECK(disp == (MPI_Offset)sizeof(int) * (size + rank));
	OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
	OK(MPI_File_get_view(f, &disp, &etype, &filetype, rep));
	CHECK(filetype == MPI_INT);
	OK(MPI_File_read_at(f, 0, got, 2, MPI_INT, MPI_STATUS_IGNORE));
	CHECK(got[0] == 0 && got[1] == 100);
	OK(MPI_File_read_at(f, 4 * size - 1, got, 2, MPI_INT, &s));
	OK(MPI_Get_count(&s, MPI_INT, &n));
	CHECK(n == 1); /* the file ends there */
	OK(MPI_File_write_ordered(f, &rank, 1, MPI_INT, MPI_STATUS_IGNORE));
	OK(MPI_File_get_position_shared(f, &at));
	CHECK(at == size);
	OK(MPI_File_read_at(f, rank, got, 1, MPI_INT, MPI_STATUS_IGNORE));
	CHECK(got[0] == rank);
	OK(MPI_File_set_atomicity(f, 1));
	OK(MPI_File_get_atomicity(f, &n));
	CHECK(n == 1);
	OK(MPI_File_set_size(f, 8));
	OK(MPI_File_get_size(f, &at));
	CHECK(at == 8);
	OK(MPI_File_close(&f));
	CHECK(f == MPI_FILE_NULL);
}

static int called;

static void noted(MPI_File *f, int *code, ...) {
	(void)f, (void)code;
	called++;
}

/* Errors of files are returned, unless the program says otherwise: of those that are open, and of MPI_FILE_NULL. */
static void errors(void) {
	MPI_File f = MPI_FILE_NULL;
	MPI_Errhandler e;
	int x;
	FAILS(MPI_ERR_NO_SUCH_FILE, MPI_File_open(MPI_COMM_WORLD, "/nonexistent/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
	FAILS(MPI_ERR_AMODE, MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY | MPI_MODE_RDWR, MPI_INFO_NULL, &f));
	FAILS(MPI_ERR_AMODE, MPI_File_open(MPI_COMM_WORLD, path, 1 << 20, MPI_INFO_NULL, &f));
	FAILS(MPI_ERR_FILE, MPI_File_close(&f));
	OK(MPI_File_create_errhandler(noted, &e));
	OK(MPI_File_set_errhandler(MPI_FILE_NULL, e));
	FAILS(MPI_ERR_NO_SUCH_FILE, MPI_File_open(MPI_COMM_WORLD, "/nonexistent/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
	CHECK(called == 1);
	OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
	FAILS(MPI_ERR_READ_ONLY, MPI_File_write(f, &x, 1, MPI_INT, MPI_STATUS_IGNORE));
	CHECK(called == 2);
	OK(MPI_File_set_errhandler(f, MPI_ERRORS_RETURN));
	FAILS(MPI_ERR_COUNT, MPI_File_read_all(f, &x, -1, MPI_INT, MPI_STATUS_IGNORE));
	FAILS(MPI_ERR_TYPE, MPI_File_read_all(f, &x, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE));
	FAILS(MPI_ERR_ARG, MPI_File_seek(f, 0, 12345));
	CHECK(called == 2);
	OK(MPI_File_close(&f));
	OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
	OK(MPI_Errhandler_free(&e));
}

/* What goes wrong later is the file's error too. A file that may not grow is what each user can have. */
static void later(void) {
	MPI_File f;
	MPI_Request r = MPI_REQUEST_NULL;
	MPI_Status s;
	struct rlimit limit, none;
	char own[sizeof path + 16];
	int x = rank;
	snprintf(own, sizeof own, "%s.%d", path, rank);
	OK(MPI_File_open(MPI_COMM_SELF, own, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f));
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_FSIZE, &none);
	OK(MPI_File_iwrite(f, &x, 1, MPI_INT, &r));
	CHECK(MPI_Wait(&r, &s) != MPI_SUCCESS && r == MPI_REQUEST_NULL);
	FAILS(MPI_ERR_BUFFER, MPI_File_write(f, MPI_IN_PLACE, 1, MPI_INT, &s));
	setrlimit(RLIMIT_FSIZE, &limit);
	OK(MPI_File_close(&f));
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	snprintf(path, sizeof(path), "%s/file", getenv("TMPDIR"));
	accesses();
	errors();
	later();
	OK(MPI_Barrier(MPI_COMM_WORLD));
	if (rank == 0) OK(MPI_File_delete(path, MPI_INFO_NULL));
	end();
}
