/* Ranks that disagree about the type of what they exchange. By the argument this is to be refused or taken. With fatal there is no error
   handler. */
#include "check.h"

static int refused;

/* A call with types that differ. If types are checked it fails, and the text of the error names both: what this rank passes as MPI does, what
 * another has passed by its kind. */
static void differs(int code, const char *one, const char *other) {
	char text[MPI_MAX_ERROR_STRING];
	int length;
	if (!refused) {
		OK(code);
		return;
	}
	FAILS(MPI_ERR_TYPE, code);
	OK(MPI_Error_string(code, text, &length));
	if (!strstr(text, one) || !strstr(text, other)) fprintf(stderr, "%s\n", text);
	CHECK(strstr(text, one) && strstr(text, other));
}

/* A message that was refused is gone, and the next one is received. */
static void messages(void) {
	int out[2] = {1, 2}, back = 3;
	float in[2] = {0, 0};
	MPI_Request r;
	MPI_Status s;
	if (rank == 0) {
		for (int i = 0; i < 3; i++) OK(MPI_Send(out, 2, MPI_INT, 1, 1, MPI_COMM_WORLD));
		OK(MPI_Recv(&back, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		CHECK(back == 4);
	} else {
		differs(MPI_Recv(in, 2, MPI_FLOAT, 0, 1, MPI_COMM_WORLD, &s), "int32", "MPI_FLOAT");
		CHECK(refused ? in[0] == 0 : !memcmp(in, out, sizeof in));
		OK(MPI_Irecv(in, 2, MPI_FLOAT, 0, 1, MPI_COMM_WORLD, &r));
		differs(MPI_Wait(&r, &s), "int32", "MPI_FLOAT");
		out[0] = 0;
		OK(MPI_Recv(out, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &s));
		CHECK(out[0] == 1);
		back = 4;
		OK(MPI_Send(&back, 1, MPI_INT, 0, 2, MPI_COMM_WORLD));
	}
}

/* The ranks that depend on the elements of another get an error, and the next operation works. Two of Allreduce depend on each other. */
static void collectives(void) {
	int n = 7;
	float f = 1;
	MPI_Datatype mine = rank == 0 ? MPI_INT : MPI_FLOAT;
	const char *name = rank == 0 ? "MPI_INT" : "MPI_FLOAT", *other = rank == 0 ? "float32" : "int32";
	void *here = rank == 0 ? (void *)&n : (void *)&f;
	MPI_Request r;
	int sum = 0;
	if (rank == 0) {
		OK(MPI_Bcast(here, 1, mine, 0, MPI_COMM_WORLD));
	} else {
		differs(MPI_Bcast(here, 1, mine, 0, MPI_COMM_WORLD), name, other);
		CHECK(refused ? f == 1 : !memcmp(&f, &n, sizeof f));
	}
	differs(MPI_Allreduce(MPI_IN_PLACE, here, 1, mine, MPI_SUM, MPI_COMM_WORLD), name, other);
	OK(MPI_Iallreduce(MPI_IN_PLACE, here, 1, mine, MPI_SUM, MPI_COMM_WORLD, &r));
	differs(MPI_Wait(&r, MPI_STATUS_IGNORE), name, other);
	OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
	CHECK(sum == 1);
}

/* The origin knows both types, of its own memory and of the target's, and the target's memory is left as it was. */
static void windows(void) {
	int *memory, n = 5;
	float f = 1;
	MPI_Win w;
	OK(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &w));
	OK(MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN));
	*memory = 7;
	OK(MPI_Win_fence(0, w));
	if (rank == 0) differs(MPI_Put(&n, 1, MPI_INT, 1, 0, 1, MPI_FLOAT, w), "MPI_INT", "MPI_FLOAT");
	OK(MPI_Win_fence(0, w));
	CHECK(*memory == (rank == 1 && !refused ? 5 : 7));
	if (rank == 1) differs(MPI_Get(&f, 1, MPI_FLOAT, 0, 0, 1, MPI_INT, w), "MPI_INT", "MPI_FLOAT");
	OK(MPI_Win_fence(0, w));
	if (rank == 1) CHECK(refused ? f == 1 : !memcmp(&f, (int[]){7}, sizeof f));
	if (rank == 0) differs(MPI_Accumulate(&n, 1, MPI_INT, 1, 0, 1, MPI_FLOAT, MPI_REPLACE, w), "MPI_INT", "MPI_FLOAT");
	OK(MPI_Win_fence(0, w));
	OK(MPI_Win_free(&w));
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	CHECK(argc == 2 && size == 2);
	refused = strcmp(argv[1], "taken") != 0;
	if (strcmp(argv[1], "fatal")) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	messages();
	collectives();
	windows();
	end();
}
