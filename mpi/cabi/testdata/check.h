/* What the test programs have in common. A check that fails ends the job with a line that says where. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

#define CHECK(condition)                                                                                \
	do {                                                                                                \
		if (!(condition)) {                                                                             \
			fprintf(stderr, "%s:%d: rank %d: %s is not so\n", __FILE__, __LINE__, rank, #condition);    \
			MPI_Abort(MPI_COMM_WORLD, 99);                                                              \
		}                                                                                               \
	} while (0)

#define OK(call) CHECK((call) == MPI_SUCCESS)

/* A call that fails with a class. */
#define FAILS(class, call)                                        \
	do {                                                          \
		int code_ = (call), class_ = -1;                          \
		CHECK(code_ != MPI_SUCCESS);                              \
		OK(MPI_Error_class(code_, &class_));                      \
		if (class_ != (class)) {                                  \
			char text_[MPI_MAX_ERROR_STRING];                     \
			int length_;                                          \
			MPI_Error_string(code_, text_, &length_);             \
			fprintf(stderr, "class %d: %s\n", class_, text_);     \
		}                                                         \
		CHECK(class_ == (class));                                 \
	} while (0)

__attribute__((unused)) static void begin(int *argc, char ***argv) {
	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
}

__attribute__((unused)) static void end(void) {
	MPI_Finalize();
	if (rank == 0) puts("no errors");
}
