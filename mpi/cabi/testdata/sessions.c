/* Sessions: a communicator without MPI_Init. */
#include "check.h"

/* Buffered messages on communicators from the session count on its buffer, unless they have their own. */
static void buffers(MPI_Session s, MPI_Comm c) {
	enum { ELEMENTS = 100, ROOM = ELEMENTS * sizeof(int) + MPI_BSEND_OVERHEAD };
	static char memory[ROOM], more[8 * ROOM];
	int out[4 * ELEMENTS] = {rank}, in[4 * ELEMENTS], next = (rank + 1) % size, before = (rank + size - 1) % size, bytes;
	void *back;
	MPI_Comm dup;
	MPI_Request r;
	OK(MPI_Session_attach_buffer(s, memory, ROOM));
	FAILS(MPI_ERR_BUFFER, MPI_Session_attach_buffer(s, memory, ROOM));
	OK(MPI_Comm_dup(c, &dup));
	OK(MPI_Bsend(out, ELEMENTS, MPI_INT, next, 1, dup));
	OK(MPI_Recv(in, ELEMENTS, MPI_INT, before, 1, dup, MPI_STATUS_IGNORE));
	CHECK(in[0] == before);
	OK(MPI_Session_flush_buffer(s));
	OK(MPI_Session_iflush_buffer(s, &r));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	FAILS(MPI_ERR_BUFFER, MPI_Bsend(out, 4 * ELEMENTS, MPI_INT, next, 1, dup));
	OK(MPI_Comm_attach_buffer(dup, more, sizeof more));
	OK(MPI_Bsend(out, 4 * ELEMENTS, MPI_INT, next, 1, dup));
	FAILS(MPI_ERR_BUFFER, MPI_Bsend(out, 4 * ELEMENTS, MPI_INT, next, 1, c));
	OK(MPI_Recv(in, 4 * ELEMENTS, MPI_INT, before, 1, dup, MPI_STATUS_IGNORE));
	CHECK(in[0] == before);
	OK(MPI_Comm_free(&dup));
	OK(MPI_Session_detach_buffer(s, &back, &bytes));
	CHECK(back == memory && bytes == ROOM);
	FAILS(MPI_ERR_BUFFER, MPI_Session_detach_buffer(s, &back, &bytes));
}

int main(void) {
	MPI_Session s;
	MPI_Group g;
	MPI_Comm c;
	int n, length = 0, flag, x;
	char name[200];
	OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s));
	OK(MPI_Session_get_num_psets(s, MPI_INFO_NULL, &n));
	CHECK(n >= 2);
	OK(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, 0, &length, name));
	CHECK(length == (int)strlen("mpi://WORLD") + 1);
	OK(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, 0, &length, name));
	CHECK(!strcmp(name, "mpi://WORLD"));
	FAILS(MPI_ERR_ARG, MPI_Group_from_session_pset(s, "none", &g));
	OK(MPI_Group_from_session_pset(s, "mpi://WORLD", &g));
	OK(MPI_Comm_create_from_group(g, "a tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
	OK(MPI_Comm_rank(c, &rank));
	OK(MPI_Comm_size(c, &size));
	if (rank == 0) { /* nothing is made of no processes, by any process alone */
		MPI_Comm none = c;
		OK(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "a tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &none));
		CHECK(none == MPI_COMM_NULL);
		none = c;
		OK(MPI_Intercomm_create_from_groups(MPI_GROUP_EMPTY, 0, g, 0, "a tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &none));
		CHECK(none == MPI_COMM_NULL);
	}
	x = rank;
	OK(MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0, c, MPI_STATUS_IGNORE));
	CHECK(x == (rank + size - 1) % size);
	MPI_Message m; /* there is no MPI_COMM_WORLD for messages of no process either */
	MPI_Request r;
	MPI_Status status;
	OK(MPI_Mprobe(MPI_PROC_NULL, 0, c, &m, &status));
	CHECK(m == MPI_MESSAGE_NO_PROC);
	OK(MPI_Mrecv(&x, 1, MPI_INT, &m, &status));
	CHECK(m == MPI_MESSAGE_NULL && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
	OK(MPI_Mprobe(MPI_PROC_NULL, 0, c, &m, &status));
	OK(MPI_Imrecv(&x, 1, MPI_INT, &m, &r));
	OK(MPI_Wait(&r, &status));
	CHECK(m == MPI_MESSAGE_NULL && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
	OK(MPI_Initialized(&flag));
	CHECK(!flag);
	buffers(s, c);
	OK(MPI_Comm_free(&c));
	OK(MPI_Group_free(&g));
	OK(MPI_Session_finalize(&s));
	CHECK(s == MPI_SESSION_NULL);
	if (rank == 0) puts("no errors");
}
