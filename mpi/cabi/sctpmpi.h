/* What libsctpmpi.so and the shims of the two ABIs have in common. */
#ifndef SCTPMPI_H
#define SCTPMPI_H
#include <stdint.h>

/* The status of the MPI-5 standard ABI. reserved has the count in bytes, its low and its high half, and whether the
   operation was cancelled. */
typedef struct {
	int source, tag, error;
	int reserved[5];
} sctpmpi_status;

/* What sctpmpi_fail has the shim do: return the code, or call a function of the program before. */
typedef struct {
	void *invoke, *fn;
	int kind; /* of the object: a communicator, window, file or session */
	uintptr_t handle;
} sctpmpi_handler;

extern int sctpmpi_fail(int kind, uintptr_t object, int code, char *function, sctpmpi_handler *call);
/* The code of MPI_ERR_UNSUPPORTED_OPERATION for a function that the library does not have. */
extern int sctpmpi_unsupported(char *function);
/* How many ranks a communicator's collective operations exchange data with, and how many neighbors it has. */
extern int sctpmpi_peers(uintptr_t comm, int *peers);
extern int sctpmpi_neighbors(uintptr_t comm, int *sources, int *destinations);

#include "exports.h"

#endif
