/* A program whose library has been compiled with another mpi.h, or that passes what Open MPI's has for handles. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int library_rank(void);
int library_sum(void *comm);

int main(int argc, char **argv) {
	static char object[512]; /* as ompi_mpi_comm_world */
	int rank = 0;
	(void)argc;
	MPI_Init(NULL, NULL);
	if (!strcmp(argv[1], "comm")) rank = library_rank();
	if (!strcmp(argv[1], "type")) rank = library_sum((void *)(intptr_t)MPI_COMM_WORLD);
	if (!strcmp(argv[1], "address")) MPI_Comm_rank((MPI_Comm)(uintptr_t)object, &rank);
	printf("%d\n", rank);
	MPI_Finalize();
}
