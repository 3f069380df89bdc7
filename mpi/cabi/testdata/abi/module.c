/* With -DLOADER a program that loads modules and runs each, and else a module, which uses what differs by ABI. */
#ifdef LOADER
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
	int (*end)(void) = NULL;
	for (int i = 1; i < argc; i++) {
		void *module = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		void (*run)(void) = NULL;
		if (module) *(void **)&run = dlsym(module, "run"), *(void **)&end = dlsym(module, "end_all");
		if (!run || !end) return fprintf(stderr, "%s\n", dlerror());
		run();
	}
	return end ? end() : 1;
}
#else
#include "../check.h"

static int handled;

static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
	for (int i = 0; i < *n; i++) ((int *)inout)[i] += ((int *)in)[i] + 100 * (*type == MPI_INT);
}

static void handler(MPI_Comm *comm, int *code, ...) {
	int class, r = -1;
	if (MPI_Error_class(*code, &class) == MPI_SUCCESS && class == MPI_ERR_RANK && MPI_Comm_rank(*comm, &r) == MPI_SUCCESS && r == rank) handled++;
}

void run(void) {
	int begun, x = 1;
	MPI_Comm c;
	MPI_Op op;
	MPI_Errhandler errors;
	OK(MPI_Initialized(&begun));
	if (!begun) OK(MPI_Init(NULL, NULL));
	OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
	OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
	OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
	OK(MPI_Op_create(add, 1, &op));
	OK(MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, op, c));
	CHECK(x == size + 100 * (size - 1));
	OK(MPI_Comm_create_errhandler(handler, &errors));
	OK(MPI_Comm_set_errhandler(c, errors));
	CHECK(MPI_Send(&x, 1, MPI_INT, 99, 0, c) != MPI_SUCCESS && handled == 1);
	OK(MPI_Errhandler_free(&errors));
	OK(MPI_Op_free(&op));
	OK(MPI_Comm_free(&c));
}

int end_all(void) {
	end();
	return 0;
}
#endif
