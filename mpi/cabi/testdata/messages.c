/* Point-to-point messages: all modes, forms, probes, wildcards, statuses. */
#include "check.h"

static int peer;

static void blocking(void) {
	int out = 41 + rank, in = 0, n;
	MPI_Status s;
	if (rank == 0) {
		OK(MPI_Send(&out, 1, MPI_INT, peer, 1, MPI_COMM_WORLD));
		OK(MPI_Ssend(&out, 1, MPI_INT, peer, 2, MPI_COMM_WORLD));
		OK(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s));
		OK(MPI_Rsend(&out, 1, MPI_INT, peer, 4, MPI_COMM_WORLD));
		CHECK(in == 42 && s.MPI_SOURCE == 1 && s.MPI_TAG == 3);
	} else {
		MPI_Request r;
		OK(MPI_Recv(&in, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		CHECK(in == 41);
		OK(MPI_Recv(&in, 1, MPI_INT, peer, 2, MPI_COMM_WORLD, &s));
		CHECK(in == 41 && s.MPI_SOURCE == 0 && s.MPI_TAG == 2);
		OK(MPI_Get_count(&s, MPI_INT, &n));
		CHECK(n == 1);
		OK(MPI_Get_count(&s, MPI_DOUBLE, &n));
		CHECK(n == MPI_UNDEFINED);
		OK(MPI_Irecv(&in, 1, MPI_INT, peer, 4, MPI_COMM_WORLD, &r));
		OK(MPI_Send(&out, 1, MPI_INT, peer, 3, MPI_COMM_WORLD));
		OK(MPI_Wait(&r, &s));
		CHECK(r == MPI_REQUEST_NULL && in == 41);
	}
}

static void buffered(void) {
	char room[4096], in[100], out[100] = "buffered";
	void *back;
	int n;
	if (rank == 0) {
		FAILS(MPI_ERR_BUFFER, MPI_Bsend(out, 100, MPI_CHAR, peer, 1, MPI_COMM_WORLD));
		OK(MPI_Buffer_attach(room, sizeof room));
		FAILS(MPI_ERR_BUFFER, MPI_Buffer_attach(room, sizeof room));
		for (int i = 0; i < 3; i++) OK(MPI_Bsend(out, 100, MPI_CHAR, peer, 1, MPI_COMM_WORLD));
		OK(MPI_Buffer_detach(&back, &n));
		CHECK(back == room && n == sizeof room);
	} else {
		for (int i = 0; i < 3; i++) {
			OK(MPI_Recv(in, 100, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
			CHECK(!strcmp(in, "buffered"));
		}
	}
}

/* An attached buffer can be filled, however large it is. */
static void muchBuffered(void) {
	enum { EACH = 16 << 20, TIMES = 6 };
	char *data = calloc(1, EACH), *room = malloc(TIMES * (EACH + MPI_BSEND_OVERHEAD));
	void *back;
	int n;
	OK(MPI_Buffer_attach(room, TIMES * (EACH + MPI_BSEND_OVERHEAD)));
	for (int i = 0; i < TIMES; i++) {
		data[EACH - 1] = (char)i;
		OK(MPI_Bsend(data, EACH, MPI_CHAR, peer, 1, MPI_COMM_WORLD));
	}
	for (int i = 0; i < TIMES; i++) {
		OK(MPI_Recv(data, EACH, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		CHECK(data[EACH - 1] == i);
	}
	OK(MPI_Buffer_detach(&back, &n));
	free(room);
	free(data);
}

static void probes(void) {
	double x[3] = {1, 2, 3}, y[3] = {0};
	MPI_Status s;
	MPI_Message m;
	int flag = 0, n;
	if (rank == 0) {
		for (int i = 0; i < 3; i++) OK(MPI_Send(x, 3, MPI_DOUBLE, peer, 5 + i, MPI_COMM_WORLD));
	} else {
		OK(MPI_Probe(peer, MPI_ANY_TAG, MPI_COMM_WORLD, &s));
		OK(MPI_Get_count(&s, MPI_DOUBLE, &n));
		CHECK(n == 3 && s.MPI_TAG == 5);
		OK(MPI_Recv(y, 3, MPI_DOUBLE, peer, 5, MPI_COMM_WORLD, &s));
		OK(MPI_Mprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &m, &s));
		OK(MPI_Mrecv(y, 3, MPI_DOUBLE, &m, &s));
		CHECK(m == MPI_MESSAGE_NULL && y[2] == 3 && s.MPI_SOURCE == 0);
		while (!flag) OK(MPI_Improbe(peer, 7, MPI_COMM_WORLD, &flag, &m, &s));
		MPI_Request r;
		OK(MPI_Imrecv(y, 3, MPI_DOUBLE, &m, &r));
		OK(MPI_Wait(&r, &s));
		CHECK(s.MPI_TAG == 7);
	}
	OK(MPI_Iprobe(peer, 99, MPI_COMM_WORLD, &flag, &s));
	CHECK(!flag);
}

static void processNull(void) {
	int x = 7, n;
	MPI_Status s;
	MPI_Message m;
	OK(MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
	OK(MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &s));
	OK(MPI_Get_count(&s, MPI_INT, &n));
	CHECK(x == 7 && n == 0 && s.MPI_SOURCE == MPI_PROC_NULL && s.MPI_TAG == MPI_ANY_TAG);
	OK(MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &m, &s));
	CHECK(m == MPI_MESSAGE_NO_PROC);
	OK(MPI_Mrecv(&x, 1, MPI_INT, &m, &s));
	CHECK(m == MPI_MESSAGE_NULL && s.MPI_SOURCE == MPI_PROC_NULL);
}

static void exchanges(void) {
	int out = rank, in = -1, both = rank;
	MPI_Status s;
	MPI_Request r;
	OK(MPI_Sendrecv(&out, 1, MPI_INT, peer, 8, &in, 1, MPI_INT, peer, 8, MPI_COMM_WORLD, &s));
	CHECK(in == peer && s.MPI_SOURCE == peer);
	OK(MPI_Sendrecv_replace(&both, 1, MPI_INT, peer, 9, peer, 9, MPI_COMM_WORLD, &s));
	CHECK(both == peer);
	OK(MPI_Isendrecv(&out, 1, MPI_INT, peer, 8, &in, 1, MPI_INT, peer, 8, MPI_COMM_WORLD, &r));
	OK(MPI_Wait(&r, &s));
	OK(MPI_Isendrecv_replace(&both, 1, MPI_INT, peer, 9, peer, 9, MPI_COMM_WORLD, &r));
	OK(MPI_Wait(&r, &s));
	CHECK(both == rank);
}

static void long_(void) {
	enum { N = 1 << 20 };
	char *p = malloc(N);
	memset(p, rank + 1, N);
	if (rank == 0) OK(MPI_Send(p, N, MPI_BYTE, peer, 1, MPI_COMM_WORLD));
	else {
		OK(MPI_Recv(p, N, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		CHECK(p[0] == 1 && p[N - 1] == 1);
	}
	free(p);
}

static void truncated(void) {
	int x[4] = {0};
	MPI_Status s;
	if (rank == 0) OK(MPI_Send(x, 4, MPI_INT, peer, 1, MPI_COMM_WORLD));
	else FAILS(MPI_ERR_TRUNCATE, MPI_Recv(x, 2, MPI_INT, peer, 1, MPI_COMM_WORLD, &s));
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	peer = 1 - rank;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	blocking();
	buffered();
	muchBuffered();
	probes();
	processNull();
	exchanges();
	long_();
	truncated();
	end();
}
