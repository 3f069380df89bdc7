/* Runs the program that is its first argument, which is compiled as a library: MPI is loaded with it, after the C library. Handlers that
   are there before stay. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t seen[65];
static void handler(int number) { seen[number]++; }

/* Whether all signals that can have a handler come to it. */
static int all_come(int times) {
	for (int number = 1; number <= 64; number++) {
		if (number == SIGKILL || number == SIGSTOP || number == 32 || number == 33) continue;
		if (times == 1) signal(number, handler);
		raise(number);
		if (seen[number] != times) {
			fprintf(stderr, "signal %d came %d times, not %d\n", number, (int)seen[number], times);
			return 0;
		}
	}
	return 1;
}

int main(int argc, char **argv) {
	if (!all_come(1)) return 1;
	void *program = dlopen(argv[1], RTLD_NOW);
	int (*run)(int, char **) = NULL;
	if (program) *(void **)&run = dlsym(program, "main");
	if (!run) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	if (!all_come(2)) return 1;
	for (int number = 1; number <= 64; number++) signal(number, SIG_DFL);
	return run(argc - 1, argv + 1);
}
