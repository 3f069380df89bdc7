/* Buffers that are changed before their operation has completed: SCTPMPI_CHECK=buffers. With fatal there is no error handler. */
#include "check.h"

/* The operation fails, and the text of its error says where the buffer has changed. */
static void fails(MPI_Request *r, const char *how) {
	char text[MPI_MAX_ERROR_STRING];
	int length, code = MPI_Wait(r, MPI_STATUS_IGNORE);
	FAILS(MPI_ERR_BUFFER, code);
	OK(MPI_Error_string(code, text, &length));
	if (!strstr(text, how)) fprintf(stderr, "%s\n", text);
	CHECK(strstr(text, how));
}

/* Of a derived type only the bytes that it has count, in the order of sending. */
static void columns(void) {
	int matrix[3][4] = {{0}};
	MPI_Datatype column;
	MPI_Request r;
	OK(MPI_Type_vector(3, 1, 4, MPI_INT, &column));
	OK(MPI_Type_commit(&column));
	if (rank == 0) {
		OK(MPI_Isend(&matrix[0][1], 1, column, 1, 1, MPI_COMM_WORLD, &r));
		matrix[1][0] = matrix[1][2] = 7;
		OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
		OK(MPI_Isend(&matrix[0][1], 1, column, 1, 1, MPI_COMM_WORLD, &r));
		matrix[1][1] = 7;
		fails(&r, "send to rank 1 with tag 1 on MPI_COMM_WORLD, started by Isend: the program changed the buffer before the operation had completed: "
			"byte 4 of 12 was 0x00 and is 0x07");
	} else {
		OK(MPI_Recv(&matrix[0][1], 1, column, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		OK(MPI_Irecv(&matrix[0][1], 1, column, 0, 1, MPI_COMM_WORLD, &r));
		matrix[2][1] = 7;
		fails(&r, "byte 8 of 12 was 0x00 and is 0x07");
	}
	OK(MPI_Type_free(&column));
}

/* Persistent requests, of messages and of collective operations, are looked after in each run. */
static void persistent(void) {
	int in[3] = {0}, out[3], sum[3], run;
	MPI_Request message, operation;
	if (rank == 0)
		OK(MPI_Send_init(in, 3, MPI_INT, 1, 1, MPI_COMM_WORLD, &message));
	else
		OK(MPI_Recv_init(out, 3, MPI_INT, 0, 1, MPI_COMM_WORLD, &message));
	OK(MPI_Allreduce_init(in, sum, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &operation));
	for (run = 0; run < 3; run++) {
		in[1] = run;
		out[1] = 9;
		OK(MPI_Start(&message));
		OK(MPI_Start(&operation));
		if (run == 1) {
			in[1] = out[1] = 7;
			fails(&message, rank == 0 ? "started by Start: the program changed the buffer before the operation had completed: byte 4 of 12 was 0x01 and is 0x07"
				: "byte 4 of 12 was 0x09 and is 0x07");
			fails(&operation, "collective operation, started by Start: the program changed the buffer before the operation had completed: "
				"byte 4 of 12 was 0x01 and is 0x07");
		} else {
			OK(MPI_Wait(&message, MPI_STATUS_IGNORE));
			OK(MPI_Wait(&operation, MPI_STATUS_IGNORE));
		}
		CHECK(rank == 0 || out[1] == run);
		CHECK(sum[1] == 2 * run);
	}
	OK(MPI_Request_free(&message));
	OK(MPI_Request_free(&operation));
}

/* Without an error handler the job ends. */
static void fatal(void) {
	int n = 1;
	MPI_Request r;
	if (rank == 0) {
		MPI_Isend(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &r);
		n = 2;
		MPI_Wait(&r, MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	CHECK(argc == 2 && size == 2);
	if (!strcmp(argv[1], "fatal")) {
		fatal();
	} else {
		MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
		columns();
		persistent();
	}
	end();
}
