/* Threads have the masks that the program gives them, and those of Go take none of its signals: sigwait and signalfd get them. The
   argument says which. */
#include "signals.h"
#include <dirent.h>
#include <sys/mman.h>
#include <sys/signalfd.h>

static sigset_t mask(void) {
	sigset_t set;
	CHECK(!pthread_sigmask(SIG_SETMASK, NULL, &set));
	return set;
}

static void set_mask(sigset_t set) { CHECK(!pthread_sigmask(SIG_SETMASK, &set, NULL)); }

static int same(sigset_t a, sigset_t b) {
	for (int number = 1; number < SIGNALS; number++)
		if (sigismember(&a, number) != sigismember(&b, number)) return 0;
	return 1;
}

static sigset_t some(void) {
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGPROF);
	sigaddset(&set, SIGRTMIN);
	return set;
}

/* The mask of a thread, where bit 0 is signal 1. */
static unsigned long long blocked(const char *thread) {
	char name[300], line[200];
	unsigned long long set = 0;
	snprintf(name, sizeof name, "/proc/self/task/%s/status", thread);
	FILE *f = fopen(name, "r");
	if (!f) return ~0ULL; /* it has ended */
	while (fgets(line, sizeof line, f))
		if (sscanf(line, "SigBlk: %llx", &set) == 1) break;
	fclose(f);
	return set;
}

/* All threads but those of the program block all but faults. */
static void check_threads(int n) {
	unsigned long long all = 0;
	for (int number = 1; number < SIGNALS; number++)
		if (can_be_handled(number)) all |= 1ULL << (number - 1);
	static const int faults[] = {SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) all &= ~(1ULL << (faults[i] - 1));
	DIR *d = opendir("/proc/self/task");
	CHECK(d != NULL);
	int others = 0;
	for (struct dirent *e; (e = readdir(d));) {
		int id = atoi(e->d_name), known = id == 0 || id == getpid();
		for (int i = 0; i < n; i++) known |= id == workers[i].id;
		if (known) continue;
		others++;
		if ((blocked(e->d_name) & all) != all) fprintf(stderr, "thread %d blocks %llx, not %llx\n", id, blocked(e->d_name), all);
		CHECK((blocked(e->d_name) & all) == all);
	}
	closedir(d);
	CHECK(others > 0);
}

static void *first_call(void *arg) {
	sigset_t set = *(sigset_t *)arg;
	int n;
	set_mask(set);
	set = mask(); /* no thread can block all */
	OK(MPI_Comm_size(MPI_COMM_WORLD, &n));
	CHECK(same(mask(), set));
	OK(MPI_Barrier(MPI_COMM_SELF));
	CHECK(same(mask(), set));
	return NULL;
}

static void masks(int *argc, char ***argv, sigset_t at_start) {
	sigset_t sets[3];
	CHECK(same(at_start, some())); /* as it was before exec */
	check_threads(0);
	begin_with_threads(argc, argv);
	CHECK(same(mask(), at_start));
	sigemptyset(&sets[0]), sigfillset(&sets[1]), sets[2] = some();
	for (int i = 0; i < 3; i++) {
		pthread_t t;
		CHECK(!pthread_create(&t, NULL, first_call, &sets[i]));
		CHECK(!pthread_join(t, NULL));
		set_mask(sets[i]);
		sets[i] = mask();
		OK(MPI_Barrier(MPI_COMM_WORLD));
		CHECK(same(mask(), sets[i]));
	}
	start(THREADS);
	for (int round = 0; round < 200; round++) exchange(MPI_COMM_WORLD, round, 0);
	check_threads(THREADS);
	stop(THREADS);
	CHECK(same(mask(), some()));
}

/* Signals to the process wait for the thread that takes them, whatever others do. */
enum { WAITS = 100 };
static atomic_int taken;

static void *taker(void *arg) {
	sigset_t set = some();
	int number, by_descriptor = arg != NULL, fd = signalfd(-1, &set, SFD_CLOEXEC);
	CHECK(fd >= 0);
	while (taken < WAITS) {
		struct signalfd_siginfo info;
		if (by_descriptor) CHECK(read(fd, &info, sizeof info) == sizeof info);
		else CHECK(!sigwait(&set, &number));
		taken++;
	}
	return NULL;
}

static void waits(int *argc, char ***argv, int by_descriptor) {
	static const int numbers[] = {SIGUSR1, SIGPROF, 34, SIGCHLD};
	static int yes;
	pthread_t t;
	set_mask(some());
	begin_with_threads(argc, argv);
	start(THREADS);
	CHECK(!pthread_create(&t, NULL, taker, by_descriptor ? &yes : NULL));
	int round = 0;
	for (int i = 0; i < WAITS; i++) {
		int before = taken, number = numbers[i % 4];
		pid_t child = 0;
		if (number == SIGCHLD) {
			child = fork();
			CHECK(child >= 0);
			if (!child) _exit(0);
		} else {
			CHECK(!kill(getpid(), number));
		}
		exchange(MPI_COMM_WORLD, round++, 0);
		while (taken == before) sched_yield();
		if (child) CHECK(waitpid(child, NULL, 0) == child);
	}
	CHECK(!pthread_join(t, NULL));
	stop(THREADS);
}

/* The alternate stack of a thread is its own if that is large enough, and is as it was when the thread ends. */
static pthread_key_t late;

static void check_stack(void *before) {
	stack_t now, *b = before;
	CHECK(!sigaltstack(NULL, &now));
	CHECK(now.ss_flags == b->ss_flags && (now.ss_flags & SS_DISABLE || (now.ss_sp == b->ss_sp && now.ss_size == b->ss_size)));
}

static void *stack_of(void *arg) {
	stack_t *before = arg, now;
	int n;
	CHECK(!sigaltstack(before, NULL));
	CHECK(!sigaltstack(NULL, before));
	OK(MPI_Comm_size(MPI_COMM_WORLD, &n));
	CHECK(!sigaltstack(NULL, &now));
	CHECK(!(now.ss_flags & SS_DISABLE) && now.ss_size >= 256 * KIB);
	CHECK((now.ss_sp == before->ss_sp) == (before->ss_size >= 256 * KIB && !(before->ss_flags & SS_DISABLE)));
	memset(now.ss_sp, 1, now.ss_size);
	CHECK(!pthread_setspecific(late, before));
	return NULL;
}

static int mappings(void) {
	int lines = 0, c;
	FILE *f = fopen("/proc/self/maps", "r");
	CHECK(f != NULL);
	while ((c = fgetc(f)) != EOF) lines += c == '\n';
	fclose(f);
	return lines;
}

static void stacks(int *argc, char ***argv) {
	enum { MANY = 100 };
	static char memory[2][512 * KIB];
	begin_with_threads(argc, argv);
	CHECK(!pthread_key_create(&late, check_stack));
	int before = 0;
	for (int i = 0; i < 2 * MANY; i++) {
		stack_t s[3] = {{.ss_flags = SS_DISABLE}, {.ss_sp = memory[0], .ss_size = 16 * KIB}, {.ss_sp = memory[1], .ss_size = 512 * KIB}};
		pthread_t t;
		CHECK(!pthread_create(&t, NULL, stack_of, &s[i % 3]));
		CHECK(!pthread_join(t, NULL));
		if (i == MANY) before = mappings();
	}
	CHECK(mappings() < before + MANY / 4);
}

int main(int argc, char **argv) {
	const char *how = argv[1];
	sigset_t at_start;
	pthread_sigmask(SIG_SETMASK, NULL, &at_start);
	if (!strcmp(how, "masks") && argc == 2) { /* begins anew, with a mask that it knows */
		sigset_t set = some();
		pthread_sigmask(SIG_SETMASK, &set, NULL);
		execl("/proc/self/exe", argv[0], how, "again", (char *)NULL);
		return 1;
	}
	if (!strcmp(how, "masks")) masks(&argc, &argv, at_start);
	else if (!strcmp(how, "stacks")) stacks(&argc, &argv);
	else waits(&argc, &argv, !strcmp(how, "signalfd"));
	end();
	return 0;
}
