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

#endif
