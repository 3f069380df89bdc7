/* User-level failure mitigation while all ranks live: revoking, agreeing, shrinking. deaths.c has ranks that die. */
#include "check.h"

/* A communicator that one rank has revoked cannot be used on any, but for what recovery needs. */
static void revoking(void) {
	int x = 0, flag = -1, class;
	MPI_Comm c, d;
	MPI_Request r;
	MPI_Group g;
	OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
	OK(MPIX_Comm_is_revoked(c, &flag));
	CHECK(flag == 0);
	OK(MPI_Irecv(&x, 1, MPI_INT, (rank + 1) % size, 5, c, &r)); /* nothing is sent */
	OK(MPI_Barrier(c));
	if (rank == size - 1) OK(MPIX_Comm_revoke(c));
	FAILS(MPIX_ERR_REVOKED, MPI_Wait(&r, MPI_STATUS_IGNORE));
	CHECK(r == MPI_REQUEST_NULL);
	OK(MPIX_Comm_is_revoked(c, &flag));
	CHECK(flag == 1);
	OK(MPIX_Comm_revoke(c)); /* again */
	FAILS(MPIX_ERR_REVOKED, MPI_Send(&x, 1, MPI_INT, 0, 0, c));
	FAILS(MPIX_ERR_REVOKED, MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, c, MPI_STATUS_IGNORE));
	FAILS(MPIX_ERR_REVOKED, MPI_Barrier(c));
	FAILS(MPIX_ERR_REVOKED, MPI_Comm_dup(c, &d));
	OK(MPI_Error_class(MPIX_ERR_REVOKED, &class));
	CHECK(class == MPIX_ERR_REVOKED);
	x = rank == 1 ? ~4 : -1;
	OK(MPIX_Comm_agree(c, &x));
	CHECK(x == ~4);
	OK(MPIX_Comm_shrink(c, &d));
	OK(MPI_Comm_compare(d, MPI_COMM_WORLD, &x));
	CHECK(x == MPI_CONGRUENT);
	OK(MPIX_Comm_is_revoked(d, &flag));
	CHECK(flag == 0);
	OK(MPI_Barrier(d));
	OK(MPIX_Comm_get_failed(c, &g));
	CHECK(g == MPI_GROUP_EMPTY);
	OK(MPI_Comm_free(&d));
	OK(MPI_Comm_free(&c));
	OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* All live: there is nothing to be acknowledged. */
static void acknowledging(void) {
	int n = -1;
	MPI_Group g;
	OK(MPIX_Comm_failure_ack(MPI_COMM_WORLD));
	OK(MPIX_Comm_failure_get_acked(MPI_COMM_WORLD, &g));
	CHECK(g == MPI_GROUP_EMPTY);
	OK(MPIX_Comm_ack_failed(MPI_COMM_WORLD, 3, &n));
	CHECK(n == 0);
	OK(MPIX_Comm_get_suspected(MPI_COMM_WORLD, &g)); /* silence.c has a rank that is */
	CHECK(g == MPI_GROUP_EMPTY);
	FAILS(MPI_ERR_ARG, MPIX_Comm_ack_failed(MPI_COMM_WORLD, -1, &n));
}

static void withoutWaiting(void) {
	int flags = rank == 0 ? 6 : 3, n;
	MPI_Request r[2];
	MPI_Comm d = MPI_COMM_NULL;
	OK(MPIX_Comm_iagree(MPI_COMM_WORLD, &flags, &r[0]));
	OK(MPIX_Comm_ishrink(MPI_COMM_WORLD, &d, &r[1]));
	OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
	CHECK(flags == 2);
	OK(MPI_Comm_size(d, &n));
	CHECK(n == size);
	OK(MPI_Barrier(d));
	OK(MPI_Comm_free(&d));
}

static void wrongUse(void) {
	int x = 0;
	MPI_Comm d;
	MPI_Group g;
	MPI_Request r;
	FAILS(MPI_ERR_COMM, MPIX_Comm_revoke(MPI_COMM_NULL));
	FAILS(MPI_ERR_COMM, MPIX_Comm_is_revoked(MPI_COMM_NULL, &x));
	FAILS(MPI_ERR_COMM, MPIX_Comm_agree(MPI_COMM_NULL, &x));
	FAILS(MPI_ERR_COMM, MPIX_Comm_iagree(MPI_COMM_NULL, &x, &r));
	FAILS(MPI_ERR_COMM, MPIX_Comm_shrink(MPI_COMM_NULL, &d));
	FAILS(MPI_ERR_COMM, MPIX_Comm_ishrink(MPI_COMM_NULL, &d, &r));
	FAILS(MPI_ERR_COMM, MPIX_Comm_get_failed(MPI_COMM_NULL, &g));
	FAILS(MPI_ERR_COMM, MPIX_Comm_get_suspected(MPI_COMM_NULL, &g));
	FAILS(MPI_ERR_COMM, MPIX_Comm_ack_failed(MPI_COMM_NULL, 1, &x));
	FAILS(MPI_ERR_COMM, MPIX_Comm_failure_ack(MPI_COMM_NULL));
	FAILS(MPI_ERR_COMM, MPIX_Comm_failure_get_acked(MPI_COMM_NULL, &g));
	FAILS(MPI_ERR_ARG, MPIX_Comm_agree(MPI_COMM_WORLD, NULL));
	FAILS(MPI_ERR_ARG, MPIX_Comm_iagree(MPI_COMM_WORLD, NULL, &r));
	FAILS(MPI_ERR_ARG, MPIX_Comm_shrink(MPI_COMM_WORLD, NULL));
	FAILS(MPI_ERR_ARG, MPIX_Comm_get_failed(MPI_COMM_WORLD, NULL));
	FAILS(MPI_ERR_ARG, MPIX_Comm_get_suspected(MPI_COMM_WORLD, NULL));
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	revoking();
	acknowledging();
	withoutWaiting();
	wrongUse();
	end();
}
