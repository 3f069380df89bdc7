/* Programs that pass addresses of no memory, on rank 1. The argument says where. */
#include "check.h"
#include <sys/mman.h>

enum { SHORT = 100, LONG = 1 << 20 };
static double *bad, *torn, *good; /* no memory, memory without a page in the middle, memory */

static double *memory(int protection) {
	double *p = mmap(NULL, LONG * sizeof *p, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(p != MAP_FAILED);
	return p;
}

static void own(void *in, void *inout, int *n, MPI_Datatype *type) {
	(void)in, (void)n, (void)type;
	*(volatile double *)inout = *(volatile double *)bad;
}

/* Rank 1 passes p. */
static void send(double *p, int n) {
	if (rank == 1) MPI_Send(p, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
	else MPI_Recv(good, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void receive(double *p, int n, MPI_Status *status) {
	if (rank == 0) MPI_Send(good, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
	else MPI_Recv(p, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, status);
}
/* The message moves when the program has left the call. */
static void later(double *p, int n) {
	MPI_Request r;
	if (rank == 1) {
		MPI_Isend(p, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &r);
		MPI_Recv(good, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(good, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}
static void computing(double *p, int n) {
	MPI_Request r;
	if (rank == 0) {
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Send(good, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
		MPI_Recv(good, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		MPI_Irecv(p, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &r);
		MPI_Barrier(MPI_COMM_WORLD);
		for (volatile int i = 0;; i++) continue;
	}
}
static void combine(MPI_Op op, double *p) { MPI_Allreduce(rank == 1 ? p : good, good + SHORT, SHORT, MPI_DOUBLE, op, MPI_COMM_WORLD); }
static void put(void) {
	MPI_Win w;
	MPI_Win_create(rank == 1 ? bad : good, LONG * sizeof *bad, sizeof *bad, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
	MPI_Win_fence(0, w);
	if (rank == 0) MPI_Put(good, SHORT, MPI_DOUBLE, 1, 0, SHORT, MPI_DOUBLE, w);
	MPI_Win_fence(0, w);
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	const char *how = argv[1];
	bad = memory(PROT_NONE), torn = memory(PROT_READ | PROT_WRITE), good = memory(PROT_READ | PROT_WRITE);
	memset(good, 1, LONG * sizeof *good);
	memset(torn, 1, LONG * sizeof *torn);
	CHECK(!munmap(torn + LONG / 2, 4096));
	MPI_Op op;
	MPI_Op_create(own, 1, &op);
	MPI_Barrier(MPI_COMM_WORLD);
#define IS(name) else if (!strcmp(how, name))
	if (0) ;
	IS("send") send(bad, SHORT);
	IS("send-long") send(bad, LONG);
	IS("send-torn") send(torn, LONG);
	IS("later") later(bad, LONG);
	IS("later-torn") later(torn, LONG);
	IS("receive") receive(bad, SHORT, MPI_STATUS_IGNORE);
	IS("receive-long") receive(bad, LONG, MPI_STATUS_IGNORE);
	IS("receive-torn") receive(torn, LONG, MPI_STATUS_IGNORE);
	IS("receive-text") receive((double *)"read-only", 1, MPI_STATUS_IGNORE);
	IS("computing") computing(bad, SHORT);
	IS("computing-long") computing(torn, LONG);
	IS("status") receive(good, 1, (MPI_Status *)bad);
	IS("reduce") combine(MPI_SUM, bad);
	IS("put") put();
	IS("own") combine(op, good);
	else if (rank == 1) {
		MPI_Datatype t;
		MPI_Info info;
		if (0) ;
		IS("requests") MPI_Waitall(SHORT, (MPI_Request *)bad, MPI_STATUSES_IGNORE);
		IS("overflow") MPI_Waitall(SHORT, (MPI_Request *)-64, MPI_STATUSES_IGNORE);
		IS("counts") MPI_Alltoallv(good, (int *)bad, (int *)bad, MPI_DOUBLE, good, (int *)bad, (int *)bad, MPI_DOUBLE, MPI_COMM_WORLD);
		IS("type") MPI_Type_indexed(SHORT, (int *)bad, (int *)bad, MPI_DOUBLE, &t);
		IS("rank") MPI_Comm_rank(MPI_COMM_WORLD, (int *)bad);
		IS("text") {
			MPI_Info_create(&info);
			MPI_Info_set(info, (char *)bad, "x");
		}
	}
	MPI_Barrier(MPI_COMM_WORLD);
	end();
}
