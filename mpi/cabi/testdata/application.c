/* Says which part of its job it is, and which version of the standard ABI it has been compiled for. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
	int *number, flag, major = 0, minor = 0;
	MPI_Abi_get_version(&major, &minor); /* also before MPI_Init */
	MPI_Init(&argc, &argv);
	MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag);
	printf("%d, ABI %d.%d\n", flag ? *number : -1, major, minor);
	MPI_Finalize();
}
