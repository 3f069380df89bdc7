/* Rank 0 sends to rank 1, a window of messages at a time, which rank 1 answers. */
#include <stdlib.h>
#include "bench.h"

struct window {
	char *buf;
	int size, count;
	MPI_Request *requests;
};

static void
step(long n, void *state)
{
	struct window *w = state;
	char answer[4] = {1};
	int i;

	while (n-- > 0) {
		for (i = 0; i < w->count; i++) {
			if (rank == 0)
				MPI_Isend(w->buf, w->size, MPI_BYTE, 1, TAG_WORK, MPI_COMM_WORLD, &w->requests[i]);
			else
				MPI_Irecv(w->buf + (size_t)i * w->size, w->size, MPI_BYTE, 0, TAG_WORK,
				    MPI_COMM_WORLD, &w->requests[i]);
		}
		MPI_Waitall(w->count, w->requests, MPI_STATUSES_IGNORE);
		if (rank == 0)
			MPI_Recv(answer, 4, MPI_BYTE, 1, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		else
			MPI_Send(answer, 4, MPI_BYTE, 0, TAG_ANSWER, MPI_COMM_WORLD);
	}
}

void
flood(int size, int window)
{
	struct window w = {allocate(rank == 0 ? 1 : window, size), size, window,
	    allocate(window, sizeof(MPI_Request))};

	report(measure(step, &w));
	free(w.buf);
	free(w.requests);
}
