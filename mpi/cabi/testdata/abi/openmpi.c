/* A program as Open MPI's mpi.h would have it: its handles are addresses of objects in the library. */
#include <stdio.h>
extern char ompi_mpi_comm_world[512];
int MPI_Init(int *, char ***);
int MPI_Initialized(int *);
int MPI_Comm_rank(void *, int *);
int MPI_Comm_size(void *, int *);
int MPI_Finalize(void);

int main(int argc, char **argv) {
	int rank, size, begun;
	MPI_Initialized(&begun);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(ompi_mpi_comm_world, &rank);
	MPI_Comm_size(ompi_mpi_comm_world, &size);
	printf("%d of %d\n", rank, size);
	return begun || MPI_Finalize();
}
