/* Rank 0 operates on rank 1's memory, again and again; rank 1 waits for a message. With epochs both call what these need. */
#include <stdlib.h>
#include <string.h>
#include "bench.h"

struct access {
	void (*begin)(struct access *a);
	int count; /* longs */
	long *buf;
	MPI_Win win;
	MPI_Group peer;
};

static void
put(struct access *a)
{
	MPI_Put(a->buf, a->count, MPI_LONG, 1, 0, a->count, MPI_LONG, a->win);
}

static void
get(struct access *a)
{
	MPI_Get(a->buf, a->count, MPI_LONG, 1, 0, a->count, MPI_LONG, a->win);
}

static void
accumulate(struct access *a)
{
	MPI_Accumulate(a->buf, a->count, MPI_LONG, 1, 0, a->count, MPI_LONG, MPI_SUM, a->win);
}

static void
fetch_and_op(struct access *a)
{
	static long one = 1;

	MPI_Fetch_and_op(&one, a->buf, MPI_LONG, 1, 0, MPI_SUM, a->win);
}

static void
compare_and_swap(struct access *a)
{
	static long zero = 0, one = 1;

	MPI_Compare_and_swap(&one, &zero, a->buf, MPI_LONG, 1, 0, a->win);
}

static void
locked(struct access *a)
{
	if (rank != 0)
		return;
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, a->win);
	put(a);
	MPI_Win_unlock(1, a->win);
}

static void
fenced(struct access *a)
{
	if (rank == 0)
		put(a);
	MPI_Win_fence(0, a->win);
}

static void
posted(struct access *a)
{
	if (rank == 0) {
		MPI_Win_start(a->peer, 0, a->win);
		put(a);
		MPI_Win_complete(a->win);
	} else {
		MPI_Win_post(a->peer, 0, a->win);
		MPI_Win_wait(a->win);
	}
}

static const struct {
	const char *name;
	void (*begin)(struct access *a);
	int epoch; /* it has its own */
} accesses[] = {
	{"put", put, 0},
	{"get", get, 0},
	{"accumulate", accumulate, 0},
	{"fetchandop", fetch_and_op, 0},
	{"compareandswap", compare_and_swap, 0},
	{"lock", locked, 1},
	{"fence", fenced, 1},
	{"groups", posted, 1},
};

static void
step(long n, void *state)
{
	struct access *a = state;
	long i;

	if (rank != 0)
		return;
	for (i = 0; i < n; i++) {
		a->begin(a);
		MPI_Win_flush(1, a->win);
	}
}

static void
epochs(long n, void *state)
{
	struct access *a = state;
	long i;

	for (i = 0; i < n; i++)
		a->begin(a);
}

int
onesided(const char *name, int size)
{
	struct access a;
	struct span s;
	MPI_Group world;
	long *memory;
	size_t i;
	int peer = 1 - rank;

	for (i = 0; i < sizeof accesses / sizeof *accesses && strcmp(accesses[i].name, name) != 0; i++)
		;
	if (i == sizeof accesses / sizeof *accesses)
		return 0;
	a.begin = accesses[i].begin;
	a.count = size < (int)sizeof(long) ? 1 : size / (int)sizeof(long);
	a.buf = allocate(a.count, sizeof(long));
	MPI_Win_allocate(a.count * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &a.win);
	memset(memory, 0, a.count * sizeof(long));
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &peer, &a.peer);
	if (a.begin == fenced)
		MPI_Win_fence(0, a.win);
	if (!accesses[i].epoch)
		MPI_Win_lock_all(0, a.win);
	s = measure(accesses[i].epoch ? epochs : step, &a);
	if (!accesses[i].epoch)
		MPI_Win_unlock_all(a.win);
	if (a.begin == fenced)
		MPI_Win_fence(MPI_MODE_NOSUCCEED, a.win);
	MPI_Group_free(&a.peer);
	MPI_Group_free(&world);
	MPI_Win_free(&a.win);
	free(a.buf);
	report(s);
	return 1;
}
