/* Loads the library that is its argument, as programs with plugins do. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void *find(void *library, const char *name) {
	void *p = dlsym(library, name);
	if (!p) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return p;
}

int main(int argc, char **argv) {
	int rank = -1, n = 5;
	void *library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_GLOBAL);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	int (*init)(int *, char ***), (*finalize)(void), (*comm_rank)(MPI_Comm, int *), (*finalized)(int *);
	int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
	*(void **)&init = find(library, "MPI_Init");
	*(void **)&finalize = find(RTLD_DEFAULT, "MPI_Finalize"); /* as RTLD_GLOBAL lets others find it */
	*(void **)&comm_rank = find(library, "PMPI_Comm_rank");
	*(void **)&finalized = find(library, "MPI_Finalized");
	*(void **)&send = find(library, "MPI_Send");
	if (init(&argc, &argv) || comm_rank(MPI_COMM_WORLD, &rank) || send(&n, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD) || finalize()) return 2;
	dlclose(library);
	library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_GLOBAL);
	*(void **)&finalized = find(library, "MPI_Finalized");
	if (finalized(&n) || !n) return 3; /* it was not unloaded */
	if (rank == 0) puts("no errors");
	return 0;
}
