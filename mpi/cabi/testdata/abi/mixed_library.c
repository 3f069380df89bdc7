/* A library that has been compiled with the mpi.h of an ABI. */
#include <mpi.h>
#include <stdint.h>

int library_rank(void) {
	int rank = -1;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return rank;
}

int library_sum(void *comm) { /* the program's MPI_COMM_WORLD, and the library's type */
	int one = 1, sum = 0;
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, (MPI_Comm)(intptr_t)comm);
	return sum;
}
