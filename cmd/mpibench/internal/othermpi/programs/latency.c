/* A message goes to and fro between ranks 0 and 1, beside receives that match nothing. */
#include <stdlib.h>
#include "bench.h"

struct pingpong {
	char *buf;
	int size;
};

static void
step(long n, void *state)
{
	struct pingpong *p = state;
	int peer = 1 - rank;

	while (n-- > 0) {
		if (rank == 0)
			MPI_Send(p->buf, p->size, MPI_BYTE, peer, TAG_WORK, MPI_COMM_WORLD);
		MPI_Recv(p->buf, p->size, MPI_BYTE, peer, TAG_WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(p->buf, p->size, MPI_BYTE, peer, TAG_WORK, MPI_COMM_WORLD);
	}
}

void
latency(int size, int posted)
{
	struct pingpong p = {allocate(size, 1), size};
	MPI_Request *requests = allocate(posted, sizeof *requests);
	char *received = allocate(posted, 1), word = 1, answer;
	int i, peer = 1 - rank;

	for (i = 0; i < posted; i++)
		MPI_Irecv(&received[i], 1, MPI_BYTE, peer, TAG_IDLE + i, MPI_COMM_WORLD, &requests[i]);
	MPI_Sendrecv(&word, 1, MPI_BYTE, peer, TAG_CONTROL, &answer, 1, MPI_BYTE, peer, TAG_CONTROL,
	    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	report(measure(step, &p));
	for (i = 0; i < posted; i++)
		MPI_Cancel(&requests[i]);
	MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE);
	free(p.buf);
	free(requests);
	free(received);
}
