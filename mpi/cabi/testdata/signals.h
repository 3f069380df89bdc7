/* Signals in MPI programs: what signals.c and waits.c have in common. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KIB = 1024, SIGNALS = 65, THREADS = 3, LONG_MESSAGE = 20000 };

/* Handlers that take some stack, as printing and checkpoints do, and more. */
static atomic_int seen[SIGNALS];
static atomic_int where; /* the thread in which the last one ran */
static volatile char sink;

static pid_t thread_id(void) { return (pid_t)syscall(SYS_gettid); }

#define HANDLER(name, size)                                          \
	__attribute__((unused)) static void name(int number) {           \
		int error = errno;                                           \
		volatile char stack[size];                                   \
		for (size_t i = 0; i < sizeof stack; i += 512) stack[i] = 7; \
		sink = stack[sizeof stack / 2];                              \
		where = thread_id();                                         \
		seen[number]++;                                              \
		errno = error;                                               \
	}
HANDLER(small, 32 * KIB)
HANDLER(large, 200 * KIB)

/* Whether a program can have a handler for it. The C library has two signals for itself. */
static int can_be_handled(int number) { return number != SIGKILL && number != SIGSTOP && number != 32 && number != 33; }

/* Installs a handler as programs do that know nothing of Go, or as those that do. */
__attribute__((unused)) static void handle(int number, void (*handler)(int), int flags) {
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	if (flags)
		CHECK(!sigaction(number, &action, NULL));
	else
		CHECK(signal(number, handler) != SIG_ERR);
}

/* Ranks exchange a message, mostly a short one, with their neighbors, and a sum. The result is whether no rank wants to stop. */
__attribute__((unused)) static int exchange(MPI_Comm c, int round, int stop) {
	static __thread int out[LONG_MESSAGE], in[LONG_MESSAGE];
	int n = round % 7 == 3 ? LONG_MESSAGE : round % 50 + 1, next = (rank + 1) % size, previous = (rank + size - 1) % size;
	int mine[2] = {rank + round, stop}, sum[2];
	for (int i = 0; i < n; i++) out[i] = rank * 1000 + round + i;
	OK(MPI_Sendrecv(out, n, MPI_INT, next, round % 100, in, n, MPI_INT, previous, round % 100, c, MPI_STATUS_IGNORE));
	for (int i = 0; i < n; i++) CHECK(in[i] == previous * 1000 + round + i);
	OK(MPI_Allreduce(mine, sum, 2, MPI_INT, MPI_SUM, c));
	CHECK(sum[0] == size * (size - 1) / 2 + size * round);
	return !sum[1];
}

/* Threads that exchange messages until stopped. */
struct worker {
	pthread_t thread;
	MPI_Comm comm;
	atomic_int id, stop;
};
static struct worker workers[THREADS];

__attribute__((unused)) static void *work(void *of) {
	struct worker *w = of;
	w->id = thread_id();
	for (int round = 0; exchange(w->comm, round, w->stop); round++) continue;
	return NULL;
}

__attribute__((unused)) static void start(int n) {
	for (struct worker *w = workers; w < workers + n; w++) {
		OK(MPI_Comm_dup(MPI_COMM_WORLD, &w->comm));
		CHECK(!pthread_create(&w->thread, NULL, work, w));
	}
	for (struct worker *w = workers; w < workers + n; w++)
		while (!w->id) sched_yield();
}

__attribute__((unused)) static void stop(int n) {
	OK(MPI_Barrier(MPI_COMM_WORLD)); /* they stop those of other ranks */
	for (struct worker *w = workers; w < workers + n; w++) w->stop = 1;
	for (struct worker *w = workers; w < workers + n; w++) {
		CHECK(!pthread_join(w->thread, NULL));
		OK(MPI_Comm_free(&w->comm));
	}
}

__attribute__((unused)) static void begin_with_threads(int *argc, char ***argv) {
	int provided;
	MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
}
