/* What libsctpmpi.so and the shims of the ABIs have in common. */
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

/* The function of MPI that this thread is in, and the rank of this process, -1 if it has none yet: what is said at faults names them. */
extern __thread const char *sctpmpi_function __attribute__((tls_model("initial-exec")));
extern int sctpmpi_rank;
/* Has faults of memory told in the program's terms if they are in the library: in the code around this address, which is of a library above
   libsctpmpi.so, or in that one. See fault.c. */
extern void sctpmpi_guard(const void *code);

/* To be called on each thread of the program before it first enters Go, as sctpmpi_entered says. See signals.c. */
extern __thread int sctpmpi_entered __attribute__((tls_model("initial-exec")));
extern void sctpmpi_enter(void);
extern void sctpmpi_room(void);
/* Counts signals of a kind in what can be read from a descriptor, which stays open, unless they have another effect than the system's: -1. */
extern int sctpmpi_notify(int number);
extern void sctpmpi_forget(int number);

extern int sctpmpi_fail(int kind, uintptr_t object, int code, char *function, sctpmpi_handler *call);
/* The code of MPI_ERR_UNSUPPORTED_OPERATION for a function that the library does not have. */
extern int sctpmpi_unsupported(char *function);
/* How many ranks a communicator's collective operations exchange data with, and how many neighbors it has. */
extern int sctpmpi_peers(uintptr_t comm, int *peers);
extern int sctpmpi_neighbors(uintptr_t comm, int *sources, int *destinations);

#include "exports.h"

#endif
