/*
 * ptrace for a User Mode Linux on a processor with more registers than it knows of. It reads
 * and writes those of its processes by a buffer of a fixed size. The host reads as many as fit,
 * but writes only all or none (EFAULT): then the rest is written as it is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

typedef long call(int request, ...);

/* Whoever calls is the kernel's one thread. */
static call *host;
static char all[64 << 10];

long ptrace(enum __ptrace_request request, ...)
{
	va_list rest;
	va_start(rest, request);
	pid_t pid = va_arg(rest, pid_t);
	void *addr = va_arg(rest, void *), *data = va_arg(rest, void *);
	va_end(rest);

	if (!host)
		host = (call *)dlsym(RTLD_NEXT, "ptrace");
	long result = host(request, pid, addr, data);
	if (result != -1 || errno != EFAULT || request != PTRACE_SETREGSET || addr != (void *)NT_X86_XSTATE)
		return result;

	struct iovec *known = data, whole = { all, sizeof all };
	if (host(PTRACE_GETREGSET, pid, addr, &whole) == -1)
		return -1;
	if (known->iov_len > whole.iov_len) {
		errno = EFAULT;
		return -1;
	}
	memcpy(all, known->iov_base, known->iov_len);
	return host(PTRACE_SETREGSET, pid, addr, &whole);
}
