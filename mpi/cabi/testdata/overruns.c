/* Wrong use of the program's memory, of which the system takes no notice: what is sent or received is longer than its buffer, or memory is
   not given back. The argument says which. */
#include "check.h"

int main(int argc, char **argv) {
	begin(&argc, &argv);
	CHECK(argc == 2);
	int *four = malloc(4 * sizeof *four), *five = malloc(5 * sizeof *five);
	memset(four, 1, 4 * sizeof *four);
	memset(five, 1, 5 * sizeof *five);
	int send = !strcmp(argv[1], "send");
	if (strcmp(argv[1], "leak"))
		MPI_Sendrecv(send ? four : five, 5, MPI_INT, 0, 0, send ? five : four, 5, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
	else
		*(volatile int **)&five = NULL;
	free(four);
	free(five);
	end();
}
