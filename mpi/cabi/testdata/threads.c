/* Threads that send and receive at the same time, each on a communicator of its own. */
#include "check.h"
#include <pthread.h>

enum { THREADS = 8, MESSAGES = 200 };
static MPI_Comm comms[THREADS];

static void *work(void *arg) {
	MPI_Comm c = *(MPI_Comm *)arg;
	int flag;
	OK(MPI_Is_thread_main(&flag));
	CHECK(!flag);
	for (int i = 0; i < MESSAGES; i++) {
		int x = i;
		if (rank == 0) {
			OK(MPI_Send(&x, 1, MPI_INT, 1, 0, c));
			OK(MPI_Recv(&x, 1, MPI_INT, 1, 0, c, MPI_STATUS_IGNORE));
			CHECK(x == i + 1);
		} else {
			OK(MPI_Recv(&x, 1, MPI_INT, 0, 0, c, MPI_STATUS_IGNORE));
			x++;
			OK(MPI_Send(&x, 1, MPI_INT, 0, 0, c));
		}
	}
	return NULL;
}

int main(int argc, char **argv) {
	pthread_t threads[THREADS];
	int provided, flag;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	CHECK(provided == MPI_THREAD_MULTIPLE);
	OK(MPI_Is_thread_main(&flag));
	CHECK(flag);
	for (int i = 0; i < THREADS; i++) OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
	for (int i = 0; i < THREADS; i++) CHECK(!pthread_create(&threads[i], NULL, work, &comms[i]));
	for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++) OK(MPI_Comm_free(&comms[i]));
	end();
}
