/* usage: threads SECONDS THREADS WORKING
 * So many threads of rank 0 each exchange 8 bytes with one of rank 1, on a communicator of their own. The first ones work, and the others
 * wait for a message that comes at the end. Prints the round trips of each that works, the seconds, and the seconds of one in the
 * fastest batch: when all had their processors. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_THREADS = 64, BATCH = 10, WORK, END };

static int rank, working;
static double duration;
static MPI_Comm comms[MAX_THREADS];

static struct trips {
	int number;
	long count;
	double wall, least;
} all[MAX_THREADS];

/* exchange does a batch of round trips, and returns whether there is more to do. */
static int exchange(MPI_Comm c, int last) {
	long x = last;
	for (int i = 0; i < BATCH; i++) {
		if (rank == 0) MPI_Send(&x, 1, MPI_LONG, 1, WORK, c);
		MPI_Recv(&x, 1, MPI_LONG, 1 - rank, WORK, c, MPI_STATUS_IGNORE);
		if (rank == 1) MPI_Send(&x, 1, MPI_LONG, 0, WORK, c);
	}
	return x == 0;
}

static void *work(void *arg) {
	struct trips *t = arg;
	MPI_Comm c = comms[t->number];
	long x = 0;
	if (t->number >= working) {
		MPI_Recv(&x, 1, MPI_LONG, 1 - rank, END, c, MPI_STATUS_IGNORE);
		return NULL;
	}
	double begun = MPI_Wtime();
	int more;
	do {
		more = exchange(c, t->wall >= duration);
		double wall = MPI_Wtime() - begun, each = (wall - t->wall) / BATCH;
		if (t->count == 0 || each < t->least) t->least = each;
		t->wall = wall;
		t->count += BATCH;
	} while (more);
	return NULL;
}

int main(int argc, char **argv) {
	pthread_t threads[MAX_THREADS];
	int provided, n = argc > 2 ? atoi(argv[2]) : 0;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc != 4 || n < 1 || n > MAX_THREADS) MPI_Abort(MPI_COMM_WORLD, 2);
	duration = atof(argv[1]);
	working = atoi(argv[3]);
	for (int i = 0; i < n; i++) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
	for (int i = n; i-- > 0;) { /* those that wait come first */
		all[i].number = i;
		pthread_create(&threads[i], NULL, work, &all[i]);
	}
	for (int i = 0; i < working; i++) pthread_join(threads[i], NULL);
	for (int i = working; i < n; i++) {
		long x = 0;
		MPI_Send(&x, 1, MPI_LONG, 1 - rank, END, comms[i]);
		pthread_join(threads[i], NULL);
	}
	for (int i = 0; rank == 0 && i < working; i++)
		printf("{\"count\": %ld, \"wall_s\": %.9g, \"least_s\": %.9g}\n", all[i].count, all[i].wall, all[i].least);
	for (int i = 0; i < n; i++) MPI_Comm_free(&comms[i]);
	MPI_Finalize();
	return 0;
}
