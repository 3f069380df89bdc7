/* A process has as many requests as there are handles, and no more. Where there is none an operation does not begin: it is an error, and
   the program goes on. */
#include "check.h"

enum { LIMIT = 1 << 20 };
static MPI_Request *all;
static int live;

static int query(void *extra, MPI_Status *s) {
	(void)extra, (void)s;
	return MPI_SUCCESS;
}
static int nothing(void *extra) {
	(void)extra;
	return MPI_SUCCESS;
}
static int cancel(void *extra, int complete) {
	(void)extra, (void)complete;
	return MPI_SUCCESS;
}

/* fill takes handles until there are none. */
static void fill(void) {
	int x, code;
	char text[MPI_MAX_ERROR_STRING];
	for (live = 0; (code = MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &all[live])) == MPI_SUCCESS; live++) CHECK(live < LIMIT);
	CHECK(live == LIMIT);
	FAILS(MPI_ERR_NO_MEM, code);
	OK(MPI_Error_string(code, text, &code));
	CHECK(strcmp(text, "too many requests are live: a process can have 1048576 at a time") == 0);
}
static void empty(void) { OK(MPI_Waitall(live, all, MPI_STATUSES_IGNORE)); }

/* No operation begins that has no handle: what it would have done is still to be done. */
static void nothingBegins(void) {
	int other = 1 - rank, in = 0, out = rank, flag;
	MPI_Request r, before;
	MPI_Message m, same;
	MPI_Status s;
	memset(&r, 0x5a, sizeof r);
	before = r;
	fill();
	FAILS(MPI_ERR_NO_MEM, MPI_Isend(&out, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r));
	FAILS(MPI_ERR_NO_MEM, MPI_Send_init(&out, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r));
	FAILS(MPI_ERR_NO_MEM, MPI_Isendrecv(&out, 1, MPI_INT, other, 1, &in, 1, MPI_INT, other, 2, MPI_COMM_WORLD, &r));
	OK(MPI_Sendrecv(&out, 1, MPI_INT, other, 2, &in, 1, MPI_INT, other, 2, MPI_COMM_WORLD, &s));
	CHECK(in == other);
	OK(MPI_Iprobe(other, 1, MPI_COMM_WORLD, &flag, &s));
	CHECK(!flag);
	FAILS(MPI_ERR_NO_MEM, MPI_Irecv(&in, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &r));
	OK(MPI_Send(&out, 1, MPI_INT, other, 3, MPI_COMM_WORLD));
	OK(MPI_Mprobe(other, 3, MPI_COMM_WORLD, &m, &s));
	same = m;
	FAILS(MPI_ERR_NO_MEM, MPI_Imrecv(&in, 1, MPI_INT, &m, &r));
	CHECK(m == same);
	in = -1;
	OK(MPI_Mrecv(&in, 1, MPI_INT, &m, &s));
	CHECK(in == other);
	FAILS(MPI_ERR_NO_MEM, MPI_Grequest_start(query, nothing, cancel, NULL, &r));
	CHECK(r == before);
	empty();
}

/* A collective operation is refused on all ranks if one has no handle for it. */
static void collectives(void) {
	int in = 1, out = 0, code, mine;
	MPI_Request r;
	MPI_Comm c;
	for (mine = 0; mine < 2; mine++) {
		if (rank == mine) {
			fill();
			FAILS(MPI_ERR_NO_MEM, MPI_Iallreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r));
			FAILS(MPI_ERR_NO_MEM, MPI_Ibarrier(MPI_COMM_WORLD, &r));
			FAILS(MPI_ERR_NO_MEM, MPI_Comm_idup(MPI_COMM_WORLD, &c, &r));
			OK(MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
			CHECK(out == size);
			empty();
			continue;
		}
		code = MPI_Iallreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r);
		CHECK(code != MPI_SUCCESS || MPI_Wait(&r, MPI_STATUS_IGNORE) != MPI_SUCCESS);
		code = MPI_Ibarrier(MPI_COMM_WORLD, &r);
		CHECK(code != MPI_SUCCESS || MPI_Wait(&r, MPI_STATUS_IGNORE) != MPI_SUCCESS);
		code = MPI_Comm_idup(MPI_COMM_WORLD, &c, &r);
		CHECK(code != MPI_SUCCESS || MPI_Wait(&r, MPI_STATUS_IGNORE) != MPI_SUCCESS);
		OK(MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
		CHECK(out == size);
	}
}

/* Receives that wait for messages are as many. */
static void posted(void) {
	int x = 0, code;
	for (live = 0; (code = MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &all[live])) == MPI_SUCCESS; live++) CHECK(live < LIMIT);
	FAILS(MPI_ERR_NO_MEM, code);
	CHECK(live == LIMIT);
	OK(MPI_Barrier(MPI_COMM_WORLD));
	for (int i = 0; i < live; i++) OK(MPI_Cancel(&all[i]));
	empty();
}

/* Sends that nothing receives yet are as many, and their messages are not lost. */
static void sent(void) {
	int x = 0, code;
	if (rank == 0) {
		for (live = 0; (code = MPI_Isend(&rank, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &all[live])) == MPI_SUCCESS; live++) CHECK(live < LIMIT);
		FAILS(MPI_ERR_NO_MEM, code);
		CHECK(live == LIMIT);
	}
	OK(MPI_Barrier(MPI_COMM_WORLD));
	if (rank == 0) empty();
	for (int i = 0; rank == 1 && i < LIMIT; i++) OK(MPI_Recv(&x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	all = malloc((LIMIT + 1) * sizeof *all);
	nothingBegins();
	collectives();
	posted();
	sent();
	OK(MPI_Barrier(MPI_COMM_WORLD));
	free(all);
	end();
}
