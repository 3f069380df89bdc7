/* usage: bench SECONDS WORK...
 * where WORK is latency:SIZE:POSTED, flood:SIZE:WINDOW, floodalloc:SIZE:WINDOW, barrier:0:0,
 * bcast:SIZE:0, allreduce:SIZE:0, alltoall:SIZE:0,
 * or put:SIZE:0, get:SIZE:0, accumulate:SIZE:0, fetchandop:8:0, compareandswap:8:0,
 * lock:SIZE:0, fence:SIZE:0, groups:SIZE:0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "bench.h"

enum { MAX_COUNT = 1 << 24 };

int rank, ranks;
static double duration;

static double
cpu_time(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void
tell(long n)
{
	int i;

	for (i = 1; i < ranks; i++)
		MPI_Send(&n, 1, MPI_LONG, i, TAG_CONTROL, MPI_COMM_WORLD);
}

/* lead has all ranks do n steps. */
static struct span
lead(long n, void (*step)(long, void *), void *state)
{
	struct span s;
	double used, begun;

	tell(n);
	used = cpu_time();
	begun = MPI_Wtime();
	step(n, state);
	s.count = n;
	s.wall = MPI_Wtime() - begun;
	s.cpu = cpu_time() - used;
	s.each = 0;
	return s;
}

/* follow does the steps that rank 0 asks for. */
static void
follow(void (*step)(long, void *), void *state)
{
	double before, used = 0;
	long n;

	for (;;) {
		MPI_Recv(&n, 1, MPI_LONG, 0, TAG_CONTROL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (n == 0)
			break;
		before = cpu_time();
		step(n, state);
		used = cpu_time() - before;
	}
	MPI_Send(&used, 1, MPI_DOUBLE, 0, TAG_CONTROL, MPI_COMM_WORLD);
}

/* scale returns how many steps take so many seconds if n take elapsed. */
static long
scale(long n, double elapsed, double seconds)
{
	double m = n * seconds / (elapsed > 1e-9 ? elapsed : 1e-9);

	if (m > MAX_COUNT)
		return MAX_COUNT;
	return m < 1 ? 1 : (long)m;
}

struct span
measure(void (*step)(long, void *), void *state)
{
	struct span s = {0, 0, 0, 0};
	long n = 1, next;
	double used;
	int i, tries;

	if (rank != 0) {
		follow(step, state);
		return s;
	}
	for (;;) {
		s = lead(n, step, state);
		if (s.wall >= duration / 2 || n == MAX_COUNT)
			break;
		next = scale(n, s.wall, duration * 2 / 3);
		if (next < 2 * n)
			next = 2 * n;
		if (next > 64 * n)
			next = 64 * n;
		n = next < MAX_COUNT ? next : MAX_COUNT;
	}
	for (tries = 0; tries == 0 || (tries < 3 && s.wall < duration / 2); tries++)
		s = lead(scale(s.count, s.wall, duration), step, state);
	tell(0);
	for (i = 1; i < ranks; i++) {
		MPI_Recv(&used, 1, MPI_DOUBLE, i, TAG_CONTROL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		s.cpu += used;
	}
	return s;
}

void
report(struct span s)
{
	if (rank != 0)
		return;
	printf("{\"count\": %ld, \"wall_s\": %.9g, \"cpu_s\": %.9g", s.count, s.wall, s.cpu);
	if (s.each > 0)
		printf(", \"operation_us\": %.9g", s.each * 1e6);
	printf("}\n");
	fflush(stdout);
}

void
fail(const char *why, const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", why, what);
	MPI_Abort(MPI_COMM_WORLD, 2);
}

void *
allocate(size_t n, size_t size)
{
	void *p = calloc(n > 0 ? n : 1, size > 0 ? size : 1);

	if (p == NULL)
		fail("out of memory", "allocate");
	return p;
}

int
main(int argc, char **argv)
{
	char name[16];
	int i, a, b;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (argc < 3 || ranks < 2)
		fail("usage", "bench SECONDS WORK... in two ranks or more");
	duration = atof(argv[1]);
	for (i = 2; i < argc; i++) {
		if (sscanf(argv[i], "%15[a-z]:%d:%d", name, &a, &b) != 3)
			fail("not NAME:NUMBER:NUMBER", argv[i]);
		if (strcmp(name, "latency") == 0)
			latency(a, b);
		else if (strcmp(name, "flood") == 0)
			flood(a, b, 0);
		else if (strcmp(name, "floodalloc") == 0)
			flood(a, b, 1);
		else if (!onesided(name, a))
			collective(name, a);
	}
	MPI_Finalize();
	return 0;
}
