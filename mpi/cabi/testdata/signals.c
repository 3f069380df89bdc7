/* Handlers of the program run on its own threads, in and out of calls, and have the stack that they need. The argument says which. */
#include "signals.h"
#include <sys/resource.h>

/* Go's threads take these, as a fault of Go's own code must be told. When one of them opens its mask just then, it may take one that is
   sent to the process. */
static int is_of_a_fault(int number) {
	return number == SIGILL || number == SIGTRAP || number == SIGBUS || number == SIGFPE || number == SIGSEGV || number == SIGSYS;
}

/* Sends a signal to the process, and to each of its threads that has an MPI call, and waits for each. */
static void send(int number, int n) {
	int main_thread = thread_id();
	for (int to = -1; to <= n; to++) {
		int before = seen[number], id = to < 0 ? 0 : to == n ? main_thread : workers[to].id;
		CHECK(!(id ? syscall(SYS_tgkill, getpid(), id, number) : kill(getpid(), number)));
		while (seen[number] == before) sched_yield();
		int ran = where, known = ran == main_thread || is_of_a_fault(number);
		for (int i = 0; i < n; i++) known |= ran == workers[i].id;
		CHECK(id ? ran == id : known);
	}
}

static void send_each(int n) {
	for (int number = 1; number < SIGNALS; number++)
		if (can_be_handled(number)) send(number, n);
}

static void handle_each(void (*handler)(int), int flags) {
	for (int number = 1; number < SIGNALS; number++)
		if (can_be_handled(number)) handle(number, handler, flags);
}

static int end_of(pid_t child) {
	int status;
	while (waitpid(child, &status, 0) < 0) CHECK(errno == EINTR);
	return status;
}

/* Handlers that are there before MPI_Init, and others after it; then those of a child. */
static void each(int *argc, char ***argv) {
	handle_each(small, 0);
	send_each(0);
	begin_with_threads(argc, argv);
	start(THREADS);
	send_each(THREADS);
	handle_each(large, 0);
	send_each(THREADS);
	handle_each(small, SA_ONSTACK);
	send_each(THREADS);
	handle_each(large, SA_ONSTACK | SA_RESTART);
	send_each(THREADS);
	pid_t child = fork();
	CHECK(child >= 0);
	if (!child) {
		send_each(0);
		handle_each(large, 0);
		send_each(0);
		_exit(11);
	}
	CHECK(end_of(child) == 11 << 8);
	stop(THREADS);
}

/* Signals without a handler end a child, that of which the library has one too. */
static void defaults(int *argc, char ***argv) {
	static const int deadly[] = {SIGQUIT, SIGTERM, SIGUSR1, SIGALRM, SIGPROF, SIGSTKFLT, SIGPIPE, SIGSEGV, SIGBUS, SIGFPE, SIGILL, 34, 64};
	begin(argc, argv);
	for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++) {
		pid_t child = fork();
		CHECK(child >= 0);
		if (!child) {
			setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
			kill(getpid(), deadly[i]);
			_exit(1);
		}
		int status = end_of(child);
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == deadly[i]);
	}
}

/* Says that it waits, and does until it is ended. */
static void quit(int *argc, char ***argv) {
	int x;
	begin(argc, argv);
	puts("waits");
	fflush(stdout);
	MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Exchanges messages until a signal has come to each rank. */
static void come(int *argc, char ***argv) {
	int all = 0;
	begin(argc, argv);
	handle(SIGUSR1, small, 0);
	OK(MPI_Barrier(MPI_COMM_WORLD));
	if (rank == 0) puts("ready"), fflush(stdout);
	for (int round = 0; !all; round++) {
		int mine = seen[SIGUSR1] > 0;
		exchange(MPI_COMM_WORLD, round, 0);
		OK(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
	}
}

/* A timer interrupts calls some thousand times a second. */
static void timers(int number, int which, int ticks, int threads, int *argc, char ***argv) {
	struct itimerval often = {.it_interval.tv_usec = 300, .it_value.tv_usec = 300}, never = {0};
	static const struct { void (*handler)(int); int flags; } kinds[] = {{small, 0}, {large, 0}, {small, SA_ONSTACK | SA_RESTART}, {large, SA_ONSTACK}};
	if (threads) begin_with_threads(argc, argv);
	else begin(argc, argv);
	start(threads);
	for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
		handle(number, kinds[kind].handler, kinds[kind].flags);
		CHECK(!setitimer(which, &often, NULL));
		for (int round = 0, enough = seen[number] + ticks; exchange(MPI_COMM_WORLD, round, seen[number] >= enough); round++)
			for (volatile int i = 0; i < 10000; i++) continue;
		CHECK(!setitimer(which, &never, NULL));
	}
	stop(threads);
}

int main(int argc, char **argv) {
	const char *how = argv[1];
	int threads = argc > 2 ? THREADS : 0;
	if (!strcmp(how, "each")) each(&argc, &argv);
	else if (!strcmp(how, "defaults")) defaults(&argc, &argv);
	else if (!strcmp(how, "come")) come(&argc, &argv);
	else if (!strcmp(how, "quit")) quit(&argc, &argv);
	else if (!strcmp(how, "alarm")) timers(SIGALRM, ITIMER_REAL, 1000, threads, &argc, &argv);
	else timers(SIGPROF, ITIMER_PROF, 100, threads, &argc, &argv);
	end();
	return 0;
}
