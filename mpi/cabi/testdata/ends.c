/* Programs that end badly, on rank 1. The argument says how. */
#include "check.h"
#include <signal.h>

int main(int argc, char **argv) {
	const char *how = argv[1];
	int x = 0;
	if (!strcmp(how, "before")) MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	begin(&argc, &argv);
	if (rank == 1) {
		if (!strcmp(how, "fatal")) MPI_Send(&x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
		if (!strcmp(how, "tag")) MPI_Send(&x, 1, MPI_INT, 0, -7, MPI_COMM_WORLD);
		if (!strcmp(how, "rank")) MPI_Send(&x, 1, MPI_INT, -7, 0, MPI_COMM_WORLD);
		if (!strcmp(how, "abort")) MPI_Abort(MPI_COMM_WORLD, 7);
		if (!strcmp(how, "exit")) exit(3);
		if (!strcmp(how, "exit0")) exit(0);
		if (!strcmp(how, "crash")) *(volatile int *)8 = 1;
		if (!strcmp(how, "killed")) raise(SIGKILL);
	}
	MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	end();
}
