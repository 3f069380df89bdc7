/* Rank 0 operates on rank 1's memory, again and again; rank 1 waits for a message. */
#include <stdlib.h>
#include <string.h>
#include "bench.h"

struct access {
	void (*begin)(struct access *a);
	int count; /* longs */
	long *buf;
	MPI_Win win;
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

static const struct {
	const char *name;
	void (*begin)(struct access *a);
} accesses[] = {
	{"put", put},
	{"get", get},
	{"accumulate", accumulate},
	{"fetchandop", fetch_and_op},
	{"compareandswap", compare_and_swap},
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

int
onesided(const char *name, int size)
{
	struct access a;
	struct span s;
	long *memory;
	size_t i;

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
	MPI_Win_lock_all(0, a.win);
	s = measure(step, &a);
	MPI_Win_unlock_all(a.win);
	MPI_Win_free(&a.win);
	free(a.buf);
	report(s);
	return 1;
}
