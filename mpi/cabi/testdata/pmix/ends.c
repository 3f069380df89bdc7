/* Ranks that end badly under launchers that speak PMIx. The argument says how: the last rank does it, and the others wait for a message. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	int rank, size, x;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank == size - 1) {
		if (!strcmp(argv[1], "abort")) MPI_Abort(MPI_COMM_WORLD, 7);
		if (!strcmp(argv[1], "exit")) exit(3);
		if (!strcmp(argv[1], "killed")) raise(SIGKILL);
	}
	MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
