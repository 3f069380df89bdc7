/* Rank 0 sends to rank 1, a window of messages at a time, which rank 1 answers. */
#include <stdlib.h>
#include <string.h>
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

/* flood is a flood of messages in memory of MPI_Alloc_mem, or else in that of calloc. */
void
flood(int size, int window, int alloc)
{
	struct window w = {NULL, size, window, allocate(window, sizeof(MPI_Request))};
	size_t all = (size_t)size * (rank == 0 ? 1 : window);

	if (alloc) {
		MPI_Alloc_mem((MPI_Aint)all, MPI_INFO_NULL, &w.buf);
		memset(w.buf, 0, all);
	} else {
		w.buf = allocate(all, 1);
	}
	report(measure(step, &w));
	if (alloc)
		MPI_Free_mem(w.buf);
	else
		free(w.buf);
	free(w.requests);
}
