/* A program that sets SIGPIPE to its default goes on when a rank has died, of three, with which it has a connection. It needs mpirun --keep-going. */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

enum { DEAD = 1, SIZE = 2000 };

int main(int argc, char **argv) {
	static char body[SIZE];
	int dead = (int)getpid(), got = -1, error = MPI_SUCCESS, kind;
	begin(&argc, &argv);
	signal(SIGPIPE, SIG_DFL);
	OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
	OK(MPI_Bcast(&dead, 1, MPI_INT, DEAD, MPI_COMM_WORLD));
	if (rank == DEAD) {
		OK(MPI_Recv(body, SIZE, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		raise(SIGKILL);
	}
	if (rank == 0) {
		OK(MPI_Send(body, SIZE, MPI_CHAR, DEAD, 0, MPI_COMM_WORLD));
		while (!kill(dead, 0)) usleep(1000);
		CHECK(errno == ESRCH);
		while (error == MPI_SUCCESS) error = MPI_Send(body, SIZE, MPI_CHAR, DEAD, 0, MPI_COMM_WORLD);
		OK(MPI_Error_class(error, &kind));
		CHECK(kind == MPIX_ERR_PROC_FAILED);
	}
	OK(MPI_Sendrecv(&rank, 1, MPI_INT, 2 - rank, 0, &got, 1, MPI_INT, 2 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	CHECK(got == 2 - rank);
	end();
	return 0;
}
