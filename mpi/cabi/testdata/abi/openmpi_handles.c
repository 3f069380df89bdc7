/* Whatever number a program in Fortran passes for a handle, it is one or an error. */
#include "../check.h"

#define HANDLE_FUNCTIONS(X)                                                                                                            \
	X(mpi_comm_free_) X(mpi_errhandler_free_) X(mpi_file_close_) X(mpi_group_free_) X(mpi_info_free_) X(mpi_op_free_)                   \
	X(mpi_request_free_) X(mpi_type_free_) X(mpi_win_free_)
#define DECLARE(name) void name(MPI_Fint *handle, MPI_Fint *ierror);
HANDLE_FUNCTIONS(DECLARE)
void mpi_comm_rank_(MPI_Fint *comm, MPI_Fint *to, MPI_Fint *ierror);
void mpi_type_size_(MPI_Fint *type, MPI_Fint *to, MPI_Fint *ierror);
void mpi_group_size_(MPI_Fint *group, MPI_Fint *to, MPI_Fint *ierror);
void mpi_win_fence_(MPI_Fint *assertion, MPI_Fint *win, MPI_Fint *ierror);
void mpi_wait_(MPI_Fint *request, MPI_Fint *status, MPI_Fint *ierror);

/* Numbers from all over, near the predefined handles, near powers of two, and near those that are made. */
static MPI_Fint number(int i) {
	static unsigned random = 1;
	random = random * 1664525 + 1013904223;
	int some = (int)(random >> 16);
	switch (i % 4) {
	case 0: return (MPI_Fint)random;
	case 1: return some % 400 - 50;
	case 2: return (MPI_Fint)((1u << some % 32) + (unsigned)(some / 32 % 5) - 2);
	}
	return 4096 + some % 20000;
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	int errors = 0, good = 0;
	for (int i = 0; i < 20000; i++) {
		MPI_Fint passed = number(i), handle, x = 0, status[sizeof(MPI_Status) / sizeof(MPI_Fint)];
#define COUNT(call)                                    \
	do {                                               \
		MPI_Fint ierror = -1;                          \
		handle = passed;                               \
		call;                                          \
		CHECK(ierror >= 0);                            \
		ierror == MPI_SUCCESS ? good++ : errors++;     \
	} while (0)
#define FREE(name) COUNT(name(&handle, &ierror));
		HANDLE_FUNCTIONS(FREE)
		COUNT(mpi_comm_rank_(&handle, &x, &ierror));
		COUNT(mpi_type_size_(&handle, &x, &ierror));
		COUNT(mpi_group_size_(&handle, &x, &ierror));
		COUNT(mpi_win_fence_(&x, &handle, &ierror));
		COUNT(mpi_wait_(&handle, status, &ierror));
	}
	CHECK(errors > good && good > 0);
	OK(MPI_Barrier(MPI_COMM_WORLD)); /* all goes on */
	end();
	return 0;
}
