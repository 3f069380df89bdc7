/* A function that the library does not have. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
	char text[MPI_MAX_ERROR_STRING];
	int class = 0, length;
	MPI_Init(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	int code = MPI_Publish_name("service", MPI_INFO_NULL, "port");
	MPI_Error_class(code, &class);
	MPI_Error_string(code, text, &length);
	puts(class == MPI_ERR_UNSUPPORTED_OPERATION ? text : "another class");
	fflush(stdout);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
	MPI_Publish_name("service", MPI_INFO_NULL, "port");
	return 0;
}
