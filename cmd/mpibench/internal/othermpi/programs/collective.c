/* All ranks call a collective operation again and again. */
#include <stdlib.h>
#include <string.h>
#include "bench.h"

struct operation {
	void (*call)(struct operation *o);
	int count; /* doubles of each block */
	double *in, *out;
	/* Some ranks return before others have their data: a barrier keeps such calls apart. */
	int apart;
	double each; /* mean seconds of the calls of the last step, if apart */
};

static void
barrier(struct operation *o)
{
	(void)o;
	MPI_Barrier(MPI_COMM_WORLD);
}

static void
bcast(struct operation *o)
{
	MPI_Bcast(o->out, o->count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void
allreduce(struct operation *o)
{
	MPI_Allreduce(o->in, o->out, o->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void
alltoall(struct operation *o)
{
	MPI_Alltoall(o->in, o->count, MPI_DOUBLE, o->out, o->count, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void
step(long n, void *state)
{
	struct operation *o = state;
	double begun, spent = 0;
	long i;

	for (i = 0; i < n; i++) {
		if (o->apart)
			MPI_Barrier(MPI_COMM_WORLD);
		begun = MPI_Wtime();
		o->call(o);
		spent += MPI_Wtime() - begun;
	}
	MPI_Barrier(MPI_COMM_WORLD); /* includes the end of all calls */
	o->each = spent / n;
}

void
collective(const char *name, int size)
{
	struct operation o = {barrier, size / (int)sizeof(double), NULL, NULL, 0, 0};
	struct span s;
	double longest;

	if (strcmp(name, "bcast") == 0) {
		o.call = bcast;
		o.apart = 1;
	} else if (strcmp(name, "allreduce") == 0) {
		o.call = allreduce;
	} else if (strcmp(name, "alltoall") == 0) {
		o.call = alltoall;
	} else if (strcmp(name, "barrier") != 0) {
		fail("no such benchmark", name);
	}
	o.in = allocate((size_t)o.count * ranks, sizeof(double));
	o.out = allocate((size_t)o.count * ranks, sizeof(double));
	s = measure(step, &o);
	MPI_Reduce(&o.each, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (o.apart)
		s.each = longest;
	report(s);
	free(o.in);
	free(o.out);
}
