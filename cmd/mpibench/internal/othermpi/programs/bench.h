/* What the benchmarks of an MPI implementation share: the counterpart of package rank. */
#include <stddef.h>
#include <mpi.h>

enum { TAG_WORK = 1, TAG_ANSWER = 2, TAG_CONTROL = 3, TAG_IDLE = 1000 };

/* so many steps that were measured */
struct span {
	long count;
	double wall, cpu; /* seconds by the clock of rank 0; of all ranks */
	double each;      /* seconds of one operation, 0 if it is the whole step */
};

extern int rank, ranks;

/* measure has all ranks do the work of step as often as takes about the time that was
 * asked for, after warming up; the result counts at rank 0. */
struct span measure(void (*step)(long n, void *state), void *state);

/* report prints what was measured, as a line of JSON, at rank 0. */
void report(struct span s);

/* fail ends the job */
void fail(const char *why, const char *what);

void *allocate(size_t n, size_t size);

/* the benchmarks; size in bytes */
void latency(int size, int posted);
void flood(int size, int window, int alloc);
void collective(const char *operation, int size);
int onesided(const char *operation, int size); /* 0: there is no such operation */
