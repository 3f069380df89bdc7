/* Each rank sends its number to the next one, twice. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
	int rank, size, got[2] = {-1, -1};
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 2; i++) {
		MPI_Request request;
		MPI_Status status;
		MPI_Irecv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
		MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD);
		MPI_Wait(&request, &status);
		if (got[i] != (rank + size - 1) % size || status.MPI_SOURCE != got[i] || status.MPI_TAG != i) MPI_Abort(MPI_COMM_WORLD, 1);
	}
	MPI_Finalize();
	if (rank == 0) puts("no errors");
	return 0;
}
