/* Signals of the program and the threads of Go. A handler of the program may run on any of its threads, at any instruction, and takes the stack
   that it needs, be it installed with SA_ONSTACK or without. Go would have it run on the small stacks of its goroutines, and on
   threads of its own, and would open signals that the program blocks. So

   - Go's own threads block all signals but those of faults: a signal goes to a thread of the program, or waits for sigwait. (Where a
     program sends itself one of a fault by kill, a thread of Go may take it, though the kernel prefers the main thread);
   - a thread of the program gets, before it first enters Go, an alternate stack with a guard page, for handlers with SA_ONSTACK. Go keeps
     one that it finds. A handler without it runs on the stack of the goroutine: see room.go;
   - its mask is what it was, when it comes back from there. Go does not touch it later, as it keeps a goroutine for the thread.

   The build takes Go's habit from it to open SIGCHLD, SIGPROF, SIGSTKFLT and SIGRTMIN on its own threads: see build. */
#define _GNU_SOURCE
#include "sctpmpi.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

__thread int sctpmpi_entered;

/* An alternate stack that is smaller makes place for one of this size, in bytes. */
enum { STACK = 512 << 10 };

/* What a thread has of this file, until it ends. */
struct thread {
	char *stack;    /* begins with its guard page */
	size_t size;    /* of both, in bytes */
	stack_t before; /* what the thread had */
};
static pthread_key_t threads;
static bool have_key;

/* All signals but those of faults, which come to the thread that has made them even if it blocks them, and then end the process. */
static sigset_t others(void) {
	static const int faults[] = {SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};
	sigset_t set;
	sigfillset(&set);
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) sigdelset(&set, faults[i]);
	return set;
}

/* Threads inherit the mask of the thread that makes them. The first of Go is made by a constructor without a number, which comes after
   those with one, and before those without one that are linked after Go's code, as C's is. Go then has handlers for two signals of which it
   has no need here, and which it would not pass on: they are what they were. */
static sigset_t at_load;
static struct sigaction urgent, arithmetic;
__attribute__((constructor(102))) static void before_go(void) {
	sigset_t set = others();
	pthread_sigmask(SIG_SETMASK, &set, &at_load);
	sigaction(SIGURG, NULL, &urgent);
	sigaction(SIGFPE, NULL, &arithmetic);
}
__attribute__((constructor)) static void after_go(void) {
	sigaction(SIGURG, &urgent, NULL);
	sigaction(SIGFPE, &arithmetic, NULL);
	pthread_sigmask(SIG_SETMASK, &at_load, NULL);
}

/* Runs when a thread ends. What has replaced the stack meanwhile is left alone. */
static void leave(void *of) {
	struct thread *t = of;
	stack_t now;
	sctpmpi_entered = 0; /* another destructor may call MPI, and have this one called again */
	if (!sigaltstack(NULL, &now)) {
		if (now.ss_flags & SS_ONSTACK) return; /* it runs on the stack itself */
		if (now.ss_sp == t->stack + (t->size - STACK)) sigaltstack(&t->before, NULL);
	}
	munmap(t->stack, t->size);
	free(t);
}
__attribute__((constructor)) static void begin(void) {
	have_key = !pthread_key_create(&threads, leave);
}

/* Gives the thread an alternate stack unless it has one that is large enough, or something is used up: then Go gives it one of 32 KiB. */
static void give_stack(void) {
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct thread *t = have_key ? malloc(sizeof *t) : NULL;
	if (!t) return;
	if (sigaltstack(NULL, &t->before) || t->before.ss_flags & SS_ONSTACK || (!(t->before.ss_flags & SS_DISABLE) && t->before.ss_size >= STACK / 2)) {
		free(t);
		return;
	}
	t->size = STACK + page;
	t->stack = mmap(NULL, t->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (t->stack == MAP_FAILED) {
		free(t);
		return;
	}
	stack_t ours = {.ss_sp = t->stack + page, .ss_size = STACK};
	if (mprotect(t->stack, page, PROT_NONE) || pthread_setspecific(threads, t) || sigaltstack(&ours, NULL)) {
		pthread_setspecific(threads, NULL);
		munmap(t->stack, t->size);
		free(t);
	}
}

void sctpmpi_enter(void) {
	sigset_t set = others(), mask;
	pthread_sigmask(SIG_SETMASK, &set, &mask);
	sctpmpi_entered = 1;
	give_stack();
	sctpmpi_room();
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

/* What counts the signals that the library waits for itself, and the process that does: a child that a fork has made has no Go. */
static int counter[_NSIG];
static pid_t waits;

static void tell(int number) {
	int error = errno;
	if (getpid() == waits) {
		(void)!write(counter[number], &(uint64_t){1}, sizeof(uint64_t));
	} else {
		signal(number, SIG_DFL);
		raise(number); /* when this returns */
	}
	errno = error;
}

/* Is whether a signal has no other effect than a handler. */
static bool handled_by(int number, void (*handler)(int)) {
	struct sigaction now;
	return !sigaction(number, NULL, &now) && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == handler;
}

int sctpmpi_notify(int number) {
	struct sigaction here = {.sa_handler = tell, .sa_flags = SA_RESTART | SA_ONSTACK};
	if (!handled_by(number, SIG_DFL)) return -1; /* it is the program's */
	if (!counter[number]) {
		int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (fd < 0) return -1;
		counter[number] = fd;
	}
	waits = getpid();
	return sigaction(number, &here, NULL) ? -1 : counter[number];
}

void sctpmpi_forget(int number) {
	if (handled_by(number, tell)) signal(number, SIG_DFL);
}
