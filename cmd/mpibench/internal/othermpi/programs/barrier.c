/* All ranks meet again and again. */
#include "bench.h"

static void
step(long n, void *state)
{
	(void)state;
	while (n-- > 0)
		MPI_Barrier(MPI_COMM_WORLD);
}

void
barrier(void)
{
	report(measure(step, NULL));
}
