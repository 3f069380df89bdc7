/* A rank that is stopped is suspected, until it goes on. Ranks share no memory here, as those that do are never suspected. */
#include <signal.h>
#include <unistd.h>

#include "check.h"

enum { STOPPED = 1 };

/* How many ranks of c are suspected. It is no other than the one that is stopped. */
static int suspected(MPI_Comm c) {
	MPI_Group g, all;
	int n, which = 0, is;
	OK(MPIX_Comm_get_suspected(c, &g));
	OK(MPI_Group_size(g, &n));
	CHECK(n <= 1);
	if (n == 1) {
		OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
		OK(MPI_Group_translate_ranks(g, 1, &which, all, &is));
		CHECK(is == STOPPED);
		OK(MPI_Group_free(&all));
		OK(MPI_Group_free(&g));
	}
	return n;
}

int main(int argc, char **argv) {
	int pid;
	begin(&argc, &argv);
	if (rank == STOPPED) {
		pid = getpid();
		OK(MPI_Send(&pid, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
		raise(SIGSTOP);
		OK(MPI_Send(&pid, 1, MPI_INT, 0, 1, MPI_COMM_WORLD)); /* it has not counted as dead */
	} else if (rank == 0) {
		OK(MPI_Recv(&pid, 1, MPI_INT, STOPPED, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		while (suspected(MPI_COMM_WORLD) == 0) usleep(10000);
		CHECK(suspected(MPI_COMM_SELF) == 0);
		kill(pid, SIGCONT);
		OK(MPI_Recv(&pid, 1, MPI_INT, STOPPED, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		while (suspected(MPI_COMM_WORLD) > 0) usleep(10000); /* SCTP believes an answer, not any packet */
	}
	end();
}
