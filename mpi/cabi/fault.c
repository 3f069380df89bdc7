/* What a process says when the library meets memory that is not there. A C program can pass any address, and the library uses it on the
   thread of the call, or later on one of its own. Go's runtime would print the stacks of its goroutines, which say nothing to the
   program's author. So SIGSEGV and SIGBUS have a handler in place of Go's: if the instruction is one of the library it writes a line. Then
   the fault ends the process as faults do, with a core dump if the system makes any. The handler takes no lock and allocates nothing. */
#define _GNU_SOURCE
#include "sctpmpi.h"
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

__thread const char *sctpmpi_function;
int sctpmpi_rank = -1;

/* Where the library's code is: libsctpmpi.so, and those above it. */
static struct { uintptr_t from, size; } codes[4];
static int n_codes;
/* What the program did about faults before Go's runtime began: this library may have been loaded late. */
static struct { int number; struct sigaction action; } faults[] = {{.number = SIGSEGV}, {.number = SIGBUS}};
#define EACH_FAULT(f) for (__typeof__(&faults[0]) f = faults; f < faults + sizeof faults / sizeof faults[0]; f++)

/* Constructors with a number come before those without, of which Go's runtime is one. */
__attribute__((constructor(101))) static void before_go(void) {
	EACH_FAULT(f) sigaction(f->number, NULL, &f->action);
}

static int note(struct dl_phdr_info *object, size_t size, void *code) {
	(void)size;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &object->dlpi_phdr[i];
		uintptr_t from = object->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_LOAD && p->p_flags & PF_X && (uintptr_t)code - from < p->p_memsz) {
			if (n_codes < (int)(sizeof codes / sizeof codes[0])) {
				codes[n_codes].from = from;
				codes[n_codes++].size = p->p_memsz;
			}
			return 1;
		}
	}
	return 0;
}

/* The address of the instruction that a signal has interrupted. */
static uintptr_t instruction(const ucontext_t *at) {
#if defined(__x86_64__)
	return (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return at->uc_mcontext.pc;
#else
	return (void)at, 0;
#endif
}

static bool ours(uintptr_t address) {
	for (int i = 0; i < n_codes; i++)
		if (address - codes[i].from < codes[i].size) return true;
	return false;
}

static char *put(char *to, const char *text) {
	size_t n = strlen(text);
	memcpy(to, text, n);
	return to + n;
}

static char *put_number(char *to, uintptr_t n, unsigned base) {
	char digits[24], *d = &digits[sizeof digits - 1];
	*d = 0;
	do *--d = "0123456789abcdef"[n % base];
	while (n /= base);
	return put(to, d);
}

static void say(const siginfo_t *info) {
	char line[320], *to = put(line, "mpi: ");
	if (sctpmpi_rank >= 0) to = put(put_number(put(to, "rank "), (uintptr_t)sctpmpi_rank, 10), ": ");
	if (sctpmpi_function) to = put(put(to, sctpmpi_function), ": ");
	if (info->si_code == SI_KERNEL) /* the address has more bits than addresses have, and is not told */
		to = put(to, "memory at an impossible address");
	else
		to = put_number(put(to, "the memory at 0x"), (uintptr_t)info->si_addr, 16);
	to = put(to, " cannot be read or written: a pointer, count or datatype is wrong, of ");
	if (sctpmpi_function) to = put(to, "this call or ");
	to = put(to, "an operation that has begun (SCTPMPI_DEBUG=1 shows where)\n");
	(void)!write(STDERR_FILENO, line, (size_t)(to - line));
}

static void fault(int number, siginfo_t *info, void *context) {
	static atomic_flag said = ATOMIC_FLAG_INIT;
	struct sigaction then = {.sa_handler = SIG_DFL};
	if (info->si_code > 0 && ours(instruction(context))) {
		if (atomic_flag_test_and_set(&said))
			for (;;) pause(); /* another thread ends the process */
		say(info);
	} else {
		EACH_FAULT(f) if (f->number == number) then = f->action;
	}
	sigaction(number, &then, NULL);
	if (info->si_code <= 0) raise(number); /* it is not of the instruction, which runs again otherwise */
}

void sctpmpi_guard(const void *code) {
	const char *debug = getenv("SCTPMPI_DEBUG");
	if (debug && *debug && strcmp(debug, "0")) return; /* Go's stacks are wanted */
	if (n_codes == 0) {
		struct sigaction here = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
		sigfillset(&here.sa_mask);
		dl_iterate_phdr(note, (void *)sctpmpi_guard);
		EACH_FAULT(f) sigaction(f->number, &here, NULL);
	}
	dl_iterate_phdr(note, (void *)code);
}
