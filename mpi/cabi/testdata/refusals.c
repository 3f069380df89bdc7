/* A rank with wrong arguments takes part in making a communicator, window or file all the same: it fails on all ranks, and none waits. */
#include "check.h"

static int wrong; /* the rank with wrong arguments */
static int here(void) { return rank == wrong; }

/* A call that fails on all ranks, here with a class. The next one works: all ranks have made the same calls. */
#define REFUSED(class, null, handle, call)              \
	do {                                                \
		int failure_;                                   \
		failure_ = (call);                              \
		CHECK(failure_ != MPI_SUCCESS);                 \
		if (here()) FAILS(class, failure_);             \
		CHECK((handle) == (null));                      \
		OK(MPI_Barrier(MPI_COMM_WORLD));                \
	} while (0)

#define NO_COMM(class, call) REFUSED(class, MPI_COMM_NULL, c, call)
#define NO_WIN(class, call) REFUSED(class, MPI_WIN_NULL, w, call)
#define NO_FILE(class, call) REFUSED(class, MPI_FILE_NULL, f, call)

static const MPI_Info noInfo = (MPI_Info)(long)0x7123456;
static const MPI_Group noGroup = (MPI_Group)(long)0x7123456;
static const MPI_Comm noComm = (MPI_Comm)(long)0x7123456;

static void communicators(void) {
	MPI_Comm c, all = MPI_COMM_WORLD;
	MPI_Comm *to = here() ? NULL : &c;
	MPI_Group g;
	MPI_Info info = here() ? noInfo : MPI_INFO_NULL;
	c = MPI_COMM_NULL;
	OK(MPI_Comm_group(all, &g));
	NO_COMM(MPI_ERR_ARG, MPI_Comm_dup(all, to));
	NO_COMM(MPI_ERR_INFO, MPI_Comm_dup_with_info(all, info, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Comm_split(all, 0, 0, to));
	NO_COMM(MPI_ERR_ARG, MPI_Comm_split(all, here() ? -77 : 0, 0, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Comm_split_type(all, here() ? 12345 : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c));
	NO_COMM(MPI_ERR_INFO, MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, info, &c));
	NO_COMM(MPI_ERR_GROUP, MPI_Comm_create(all, here() ? noGroup : g, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Comm_create(all, g, to));
	NO_COMM(MPI_ERR_RANK, MPI_Intercomm_create(all, here() ? 99 : 0, all, 0, 0, &c));
	OK(MPI_Group_free(&g));
}

/* Of two leaders one passes no communicator for talking with the other. Its group learns of it. */
static void leaders(void) {
	MPI_Comm c = MPI_COMM_NULL, half;
	OK(MPI_Comm_split(MPI_COMM_WORLD, here(), 0, &half));
	if (here()) FAILS(MPI_ERR_COMM, MPI_Intercomm_create(half, 0, noComm, 0, 0, &c));
	CHECK(c == MPI_COMM_NULL);
	OK(MPI_Comm_free(&half));
}

/* A rank that passes no group, or has no place for the communicator, cannot tell the others: which those are, the group says. They wait until
 * it calls again. */
static void groups(void) {
	MPI_Comm c = MPI_COMM_NULL, all = MPI_COMM_WORLD;
	MPI_Group g, others;
	OK(MPI_Comm_group(all, &g));
	if (here()) {
		FAILS(MPI_ERR_GROUP, MPI_Comm_create_group(all, noGroup, 5, &c));
		FAILS(MPI_ERR_GROUP, MPI_Comm_create_group(all, MPI_GROUP_NULL, 5, &c));
		FAILS(MPI_ERR_ARG, MPI_Comm_create_group(all, g, 5, NULL));
		FAILS(MPI_ERR_TAG, MPI_Comm_create_group(all, g, -1, &c));
		OK(MPI_Group_excl(g, 1, &rank, &others));
		FAILS(MPI_ERR_ARG, MPI_Comm_create_group(all, others, 5, &c));
		OK(MPI_Group_free(&others));
		CHECK(c == MPI_COMM_NULL);
	}
	OK(MPI_Comm_create_group(all, g, 5, &c));
	OK(MPI_Barrier(c));
	OK(MPI_Comm_free(&c));
	OK(MPI_Group_free(&g));
}

static void topologies(void) {
	MPI_Comm c = MPI_COMM_NULL, grid, all = MPI_COMM_WORLD;
	MPI_Comm *to = here() ? NULL : &c;
	int dims[] = {here() ? -1 : size}, periods[] = {0}, yes[] = {1}, small[] = {here() ? 9 : size};
	int index[] = {1, 2, 3}, edges[] = {1, 2, 0}, down[] = {1, 0, 3}, far[] = {1, 2, here() ? 99 : 0};
	int next = here() ? -5 : (rank + 1) % size, one = 1, less = here() ? -1 : 1;
	MPI_Info info = here() ? noInfo : MPI_INFO_NULL;
	NO_COMM(MPI_ERR_ARG, MPI_Cart_create(all, 1, (int[]){size}, periods, 0, to));
	NO_COMM(MPI_ERR_DIMS, MPI_Cart_create(all, 1, dims, periods, 0, &c));
	NO_COMM(MPI_ERR_TOPOLOGY, MPI_Cart_create(all, 1, small, periods, 0, &c));
	NO_COMM(MPI_ERR_DIMS, MPI_Cart_create(all, here() ? -1 : 1, (int[]){size}, periods, 0, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Cart_create(all, 1, here() ? NULL : (int[]){size}, periods, 0, &c));
	OK(MPI_Cart_create(all, 1, (int[]){size}, periods, 0, &grid));
	NO_COMM(MPI_ERR_ARG, MPI_Cart_sub(grid, here() ? NULL : yes, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Cart_sub(grid, yes, to));
	OK(MPI_Comm_free(&grid));
	NO_COMM(MPI_ERR_ARG, MPI_Graph_create(all, 3, here() ? NULL : index, edges, 0, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Graph_create(all, here() ? -1 : 3, index, edges, 0, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Graph_create(all, 3, index, here() ? NULL : edges, 0, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Graph_create(all, 3, here() ? down : index, edges, 0, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Graph_create(all, 3, index, far, 0, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Graph_create(all, 3, index, edges, 0, to));
	NO_COMM(MPI_ERR_RANK, MPI_Dist_graph_create(all, 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c));
	next = (rank + 1) % size;
	NO_COMM(MPI_ERR_ARG, MPI_Dist_graph_create(all, less, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Dist_graph_create(all, 1, &rank, &less, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Dist_graph_create(all, 1, &rank, &one, here() ? NULL : &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c));
	NO_COMM(MPI_ERR_INFO, MPI_Dist_graph_create(all, 1, &rank, &one, &next, MPI_UNWEIGHTED, info, 0, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Dist_graph_create(all, 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, to));
	NO_COMM(MPI_ERR_ARG, MPI_Dist_graph_create_adjacent(all, less, &next, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c));
	NO_COMM(MPI_ERR_INFO, MPI_Dist_graph_create_adjacent(all, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED, info, 0, &c));
	NO_COMM(MPI_ERR_ARG, MPI_Dist_graph_create_adjacent(all, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, to));
}

static void windows(void) {
	MPI_Win w = MPI_WIN_NULL;
	MPI_Win *to = here() ? NULL : &w;
	MPI_Info info = here() ? noInfo : MPI_INFO_NULL;
	char memory[16];
	void *base, *place = here() ? NULL : &base;
	MPI_Comm all = MPI_COMM_WORLD;
	NO_WIN(MPI_ERR_SIZE, MPI_Win_create(memory, here() ? -1 : 16, 1, MPI_INFO_NULL, all, &w));
	NO_WIN(MPI_ERR_DISP, MPI_Win_create(memory, 16, here() ? 0 : 1, MPI_INFO_NULL, all, &w));
	NO_WIN(MPI_ERR_BUFFER, MPI_Win_create(here() ? NULL : memory, 16, 1, MPI_INFO_NULL, all, &w));
	NO_WIN(MPI_ERR_INFO, MPI_Win_create(memory, 16, 1, info, all, &w));
	NO_WIN(MPI_ERR_ARG, MPI_Win_create(memory, 16, 1, MPI_INFO_NULL, all, to));
	NO_WIN(MPI_ERR_SIZE, MPI_Win_allocate(here() ? -1 : 16, 1, MPI_INFO_NULL, all, &base, &w));
	NO_WIN(MPI_ERR_NO_MEM, MPI_Win_allocate(here() ? (MPI_Aint)1 << 60 : 16, 1, MPI_INFO_NULL, all, &base, &w));
	NO_WIN(MPI_ERR_DISP, MPI_Win_allocate(16, here() ? -3 : 1, MPI_INFO_NULL, all, &base, &w));
	NO_WIN(MPI_ERR_ARG, MPI_Win_allocate(16, 1, MPI_INFO_NULL, all, place, &w));
	NO_WIN(MPI_ERR_ARG, MPI_Win_allocate(16, 1, MPI_INFO_NULL, all, &base, to));
	NO_WIN(MPI_ERR_SIZE, MPI_Win_allocate_shared(here() ? -1 : 16, 1, MPI_INFO_NULL, all, &base, &w));
	NO_WIN(MPI_ERR_COUNT, MPI_Win_allocate_shared(here() ? (MPI_Aint)1 << 60 : 16, 1, MPI_INFO_NULL, all, &base, &w));
	NO_WIN(MPI_ERR_ARG, MPI_Win_allocate_shared(16, 1, MPI_INFO_NULL, all, place, &w));
	NO_WIN(MPI_ERR_INFO, MPI_Win_create_dynamic(info, all, &w));
	NO_WIN(MPI_ERR_ARG, MPI_Win_create_dynamic(MPI_INFO_NULL, all, to));
}

static void files(void) {
	const char *folder = getenv("TMPDIR");
	char name[4096];
	MPI_File f = MPI_FILE_NULL;
	MPI_Info info = here() ? noInfo : MPI_INFO_NULL;
	MPI_Comm all = MPI_COMM_WORLD;
	int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
	snprintf(name, sizeof name, "%s/refusals%d", folder ? folder : "/tmp", wrong);
	NO_FILE(MPI_ERR_INFO, MPI_File_open(all, name, mode, info, &f));
	NO_FILE(MPI_ERR_ARG, MPI_File_open(all, name, mode, MPI_INFO_NULL, here() ? NULL : &f));
	NO_FILE(MPI_ERR_BAD_FILE, MPI_File_open(all, here() ? NULL : name, mode, MPI_INFO_NULL, &f));
	NO_FILE(MPI_ERR_AMODE, MPI_File_open(all, name, here() ? 0 : mode, MPI_INFO_NULL, &f));
	NO_FILE(MPI_ERR_NO_SUCH_FILE, MPI_File_open(all, here() ? "/nonexistent/file" : name, mode, MPI_INFO_NULL, &f));
	OK(MPI_File_open(all, name, mode | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f));
	OK(MPI_File_close(&f));
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	CHECK(size == 3);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	for (wrong = 0; wrong < size; wrong++) {
		communicators();
		leaders();
		groups();
		topologies();
		windows();
		files();
	}
	end();
}
