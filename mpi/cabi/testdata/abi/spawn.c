/* It spawns what the library does not. */
#include <mpi.h>

int main(int argc, char **argv) {
	MPI_Comm workers;
	MPI_Init(&argc, &argv);
	MPI_Comm_spawn("worker", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &workers, MPI_ERRCODES_IGNORE);
	return 0;
}
