/* User-level failure mitigation when a rank has died, of four. It needs mpirun --keep-going. */
#include <signal.h>

#include "check.h"

enum { DEAD = 2 };

static void onlyTheDeadOne(MPI_Group g) {
	MPI_Group all;
	int n, who = 0, is;
	OK(MPI_Group_size(g, &n));
	CHECK(n == 1);
	OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
	OK(MPI_Group_translate_ranks(g, 1, &who, all, &is));
	CHECK(is == DEAD);
	OK(MPI_Group_free(&all));
	OK(MPI_Group_free(&g));
}

/* What needs the dead rank fails, and what does not goes on. */
static void messages(MPI_Comm c) {
	int x = 0, other = rank == 0 ? 1 : 0;
	FAILS(MPIX_ERR_PROC_FAILED, MPI_Recv(&x, 1, MPI_INT, DEAD, 0, c, MPI_STATUS_IGNORE));
	FAILS(MPIX_ERR_PROC_FAILED, MPI_Ssend(&x, 1, MPI_INT, DEAD, 0, c));
	if (rank != 3) OK(MPI_Sendrecv(&rank, 1, MPI_INT, other, 1, &x, 1, MPI_INT, other, 1, c, MPI_STATUS_IGNORE));
	CHECK(rank == 3 || x == other);
}

/* A receive from any rank is pending until the death is acknowledged, and its request stays. */
static void pending(MPI_Comm c) {
	int x = 0, y = 7, n = 0, flag = 1;
	MPI_Request r, same;
	MPI_Status s;
	MPI_Group g;
	OK(MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 2, c, &r));
	same = r;
	FAILS(MPIX_ERR_PROC_FAILED_PENDING, MPI_Wait(&r, &s));
	CHECK(r == same);
	FAILS(MPIX_ERR_PROC_FAILED_PENDING, MPI_Test(&r, &flag, &s));
	CHECK(r == same && !flag);
	FAILS(MPI_ERR_IN_STATUS, MPI_Waitall(1, &r, &s));
	CHECK(r == same);
	FAILS(MPIX_ERR_PROC_FAILED_PENDING, s.MPI_ERROR);
	OK(MPIX_Comm_get_failed(c, &g));
	onlyTheDeadOne(g);
	OK(MPIX_Comm_failure_get_acked(c, &g));
	CHECK(g == MPI_GROUP_EMPTY);
	if (rank == 0)
		OK(MPIX_Comm_failure_ack(c));
	else
		OK(MPIX_Comm_ack_failed(c, 1, &n));
	CHECK(n == (rank != 0));
	OK(MPIX_Comm_failure_get_acked(c, &g));
	onlyTheDeadOne(g);
	OK(MPI_Send(&y, 1, MPI_INT, rank, 2, c));
	OK(MPI_Wait(&r, &s));
	CHECK(r == MPI_REQUEST_NULL && x == 7 && s.MPI_SOURCE == rank);
}

/* A collective operation says which rank is gone, also on ranks that hear of it from others. */
static void named(MPI_Comm c) {
	char text[MPI_MAX_ERROR_STRING];
	int x = 0, length;
	OK(MPI_Error_string(MPI_Allreduce(&rank, &x, 1, MPI_INT, MPI_SUM, c), text, &length));
	if (!strstr(text, "rank 2 is gone")) fprintf(stderr, "%s\n", text);
	CHECK(strstr(text, "rank 2 is gone"));
}

/* Those that live agree, and go on without the dead one. */
static void recovering(MPI_Comm c) {
	int flags = rank == 0 ? 1 : 3, n, me;
	MPI_Comm d, e;
	MPI_Request r;
	OK(MPIX_Comm_agree(c, &flags)); /* all have acknowledged, and have done with the messages on c */
	CHECK(flags == 1);
	OK(MPIX_Comm_revoke(c));
	FAILS(MPIX_ERR_REVOKED, MPI_Barrier(c));
	flags = 1;
	FAILS(MPIX_ERR_PROC_FAILED, MPIX_Comm_agree(MPI_COMM_WORLD, &flags)); /* of this one none has */
	CHECK(flags == 1);
	OK(MPIX_Comm_shrink(c, &d));
	OK(MPIX_Comm_ishrink(MPI_COMM_WORLD, &e, &r));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	OK(MPI_Comm_size(d, &n));
	OK(MPI_Comm_rank(d, &me));
	CHECK(n == size - 1 && me == (rank > DEAD ? rank - 1 : rank));
	OK(MPI_Comm_compare(d, e, &n));
	CHECK(n == MPI_CONGRUENT);
	OK(MPI_Allreduce(&rank, &n, 1, MPI_INT, MPI_SUM, d));
	CHECK(n == 0 + 1 + 3);
	OK(MPI_Barrier(e));
	OK(MPI_Comm_free(&e));
	OK(MPI_Comm_free(&d));
}

int main(int argc, char **argv) {
	MPI_Comm c;
	begin(&argc, &argv);
	CHECK(size == 4);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
	OK(MPI_Barrier(c));
	if (rank == DEAD) raise(SIGKILL);
	messages(c);
	pending(c);
	named(c);
	recovering(c);
	end();
}
