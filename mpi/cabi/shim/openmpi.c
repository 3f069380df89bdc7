/* A libmpi.so.40 that cannot do Open MPI's work, and says so. mpirun has ranks find it first that may load Open MPI while they run,
   as Python does: it would take each of them for a job of its own. It defines all names that programs need to start. A program that
   is no rank gets Open MPI's own library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char soname[] = "libmpi.so.40", path_variable[] = "LD_LIBRARY_PATH";

/* Whether mpirun has started this process as a rank, and no launcher of Open MPI has started it since. */
static bool is_rank(void) { return getenv("PMI_RANK") && !getenv("OMPI_COMM_WORLD_RANK") && !getenv("PMIX_RANK"); }

static void refuse(void) {
	fflush(NULL);
	if (is_rank())
		fprintf(stderr, "this program uses Open MPI (%s), whose processes would not find each other: each would be a job of its own. "
			"Start it by Open MPI's own mpirun, or build it, or the module that it loads, with sctpmpi's mpicc\n", soname);
	else
		fprintf(stderr, "this program uses Open MPI and is no rank, but has the %s of sctpmpi's mpirun, which keeps ranks from Open MPI: "
			"unset %s for it\n", path_variable, path_variable);
	_exit(1);
}

#define FUNCTION(name) void name(void) __attribute__((alias("refuse")));
#define OBJECT(name) char name[1];
#include "openmpi_names.h"
#undef FUNCTION
#undef OBJECT

/* PMPI_X is MPI_X. */
#define FUNCTION(name) void P##name(void) __attribute__((alias("refuse")));
#define OBJECT(name)
#include "openmpi_names.h"

/* What a program may ask that uses MPI or does not. */
int PMPI_Initialized(int *flag) {
	*flag = 0;
	return 0;
}
int PMPI_Finalized(int *flag) {
	*flag = 0;
	return 0;
}
#pragma weak MPI_Initialized = PMPI_Initialized
#pragma weak MPI_Finalized = PMPI_Finalized

/* What the dynamic section of a loaded object has under a tag. */
static const ElfW(Dyn) *entry(const struct link_map *object, ElfW(Sxword) tag, const ElfW(Dyn) *after) {
	for (const ElfW(Dyn) *d = after ? after + 1 : object->l_ld; d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag) return d;
	return NULL;
}

static const char *text(const struct link_map *object, const ElfW(Dyn) *d) {
	ElfW(Addr) strings = entry(object, DT_STRTAB, NULL)->d_un.d_ptr; /* an address already, but in what cannot be written */
	return (const char *)(strings < object->l_addr ? strings + object->l_addr : strings) + d->d_un.d_val;
}

/* Whether an object needs this library, itself or by way of others. */
static bool needs(const struct link_map *first, const struct link_map *object, int depth) {
	if (depth == 0) return false;
	for (const ElfW(Dyn) *d = NULL; (d = entry(object, DT_NEEDED, d));) {
		const char *name = text(object, d);
		if (strcmp(name, soname) == 0) return true;
		for (const struct link_map *other = first; other; other = other->l_next) {
			const ElfW(Dyn) *its = entry(other, DT_SONAME, NULL);
			if (its && strcmp(text(other, its), name) == 0 && needs(first, other, depth - 1)) return true;
		}
	}
	return false;
}

/* The path for libraries without the folder of this one; NULL if that is not in it. The result is to be freed. */
static char *path_without(const char *folder, size_t length) {
	const char *path = getenv(path_variable);
	char *rest = path ? calloc(1, strlen(path) + 1) : NULL;
	bool found = false;
	for (const char *at = path; rest && at;) {
		size_t n = strcspn(at, ":");
		if (n == length && memcmp(at, folder, n) == 0)
			found = true;
		else if (n > 0)
			strncat(strcat(rest, *rest ? ":" : ""), at, n);
		at = at[n] ? at + n + 1 : NULL;
	}
	if (found) return rest;
	free(rest);
	return NULL;
}

/* A program that is no rank begins anew, before any of it has run, with Open MPI's own library. One that loads this library while
   it runs cannot. */
__attribute__((constructor)) static void give_way(int argc, char **argv) {
	(void)argc;
	Dl_info here;
	char program[4096];
	struct link_map *first;
	if (is_rank() || !dladdr(soname, &here) || dlinfo(dlopen(NULL, RTLD_LAZY), RTLD_DI_LINKMAP, &first) || !needs(first, first, 8)) return;
	const char *slash = strrchr(here.dli_fname, '/');
	char *rest = slash ? path_without(here.dli_fname, slash - here.dli_fname) : NULL;
	ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
	if (rest && n > 0) {
		program[n] = 0;
		setenv(path_variable, rest, 1);
		execve(program, argv, environ);
	}
	free(rest);
}
