/* Requests: waiting for one, any, some and all, persistent, partitioned and generalized ones, cancellation. */
#include "check.h"

static int peer;
enum { N = 20 };

static void several(void) {
	MPI_Request r[N + 1];
	MPI_Status s[N + 1];
	int x[N], indices[N + 1], n, done = 0, flag, index;
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < N; i++) {
			x[i] = i;
			if (rank == 0) OK(MPI_Isend(&x[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &r[i]));
			else OK(MPI_Irecv(&x[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &r[i]));
		}
		r[N] = MPI_REQUEST_NULL;
		switch (round) {
		case 0:
			OK(MPI_Waitall(N + 1, r, s));
			if (rank == 1) CHECK(s[3].MPI_TAG == 3);
			CHECK(s[N].MPI_SOURCE == MPI_ANY_SOURCE && s[N].MPI_TAG == MPI_ANY_TAG);
			break;
		case 1:
			for (flag = 0; !flag;) OK(MPI_Testall(N + 1, r, &flag, MPI_STATUSES_IGNORE));
			break;
		case 2:
			for (int i = 0; i < N; i++) {
				OK(MPI_Waitany(N + 1, r, &index, s));
				CHECK(index >= 0 && index < N && r[index] == MPI_REQUEST_NULL);
			}
			OK(MPI_Waitany(N + 1, r, &index, s));
			CHECK(index == MPI_UNDEFINED);
			break;
		case 3:
			for (done = 0; done < N; done += n) {
				OK(MPI_Waitsome(N + 1, r, &n, indices, s));
				CHECK(n > 0);
				for (int i = 0; rank == 1 && i < n; i++) CHECK(s[i].MPI_TAG == indices[i]);
			}
			OK(MPI_Waitsome(N + 1, r, &n, indices, s));
			CHECK(n == MPI_UNDEFINED);
			break;
		case 4:
			for (done = 0; done < N; done += n) OK(MPI_Testsome(N + 1, r, &n, indices, MPI_STATUSES_IGNORE));
			OK(MPI_Testany(N + 1, r, &index, &flag, s));
			CHECK(flag && index == MPI_UNDEFINED);
		}
		for (int i = 0; i < N; i++) CHECK(r[i] == MPI_REQUEST_NULL && x[i] == i);
	}
}

static void inStatus(void) {
	MPI_Request r[2];
	MPI_Status s[2];
	int x[4] = {0}, class;
	if (rank == 0) {
		OK(MPI_Send(x, 4, MPI_INT, peer, 0, MPI_COMM_WORLD));
		OK(MPI_Send(x, 1, MPI_INT, peer, 1, MPI_COMM_WORLD));
		return;
	}
	OK(MPI_Irecv(x, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &r[0]));
	OK(MPI_Irecv(x, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &r[1]));
	FAILS(MPI_ERR_IN_STATUS, MPI_Waitall(2, r, s));
	OK(MPI_Error_class(s[0].MPI_ERROR, &class));
	CHECK(class == MPI_ERR_TRUNCATE && s[1].MPI_ERROR == MPI_SUCCESS);
}

static void persistent(void) {
	MPI_Request r;
	int x = 0, flag;
	if (rank == 0) OK(MPI_Send_init(&x, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &r));
	else OK(MPI_Recv_init(&x, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &r));
	OK(MPI_Test(&r, &flag, MPI_STATUS_IGNORE));
	CHECK(flag && r != MPI_REQUEST_NULL);
	for (int i = 0; i < 3; i++) {
		if (rank == 0) x = i;
		OK(MPI_Startall(1, &r));
		OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
		CHECK(x == i && r != MPI_REQUEST_NULL);
	}
	OK(MPI_Request_free(&r));
	CHECK(r == MPI_REQUEST_NULL);
}

static void partitioned(void) {
	MPI_Request r;
	int x[6], flag;
	for (int i = 0; i < 6; i++) x[i] = rank == 0 ? i : -1;
	if (rank == 0) OK(MPI_Psend_init(x, 3, 2, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r));
	else OK(MPI_Precv_init(x, 3, 2, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r));
	OK(MPI_Start(&r));
	if (rank == 0) {
		int list[] = {2};
		OK(MPI_Pready_range(0, 1, r));
		OK(MPI_Pready_list(1, list, r));
	} else {
		for (flag = 0; !flag;) OK(MPI_Parrived(r, 1, &flag));
		CHECK(x[2] == 2 && x[3] == 3);
	}
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	CHECK(x[5] == 5);
	OK(MPI_Request_free(&r));
}

static void cancelled(void) {
	MPI_Request r;
	MPI_Status s;
	int x, flag;
	OK(MPI_Irecv(&x, 1, MPI_INT, peer, 77, MPI_COMM_WORLD, &r));
	OK(MPI_Request_get_status(r, &flag, &s));
	CHECK(!flag);
	OK(MPI_Cancel(&r));
	OK(MPI_Wait(&r, &s));
	OK(MPI_Test_cancelled(&s, &flag));
	CHECK(flag);
}

static int queried, freed, cancels;
static int query(void *extra, MPI_Status *s) {
	queried++;
	MPI_Status_set_elements(s, MPI_INT, *(int *)extra);
	MPI_Status_set_cancelled(s, cancels);
	s->MPI_SOURCE = 3;
	s->MPI_TAG = 4;
	return MPI_SUCCESS;
}
static int done(void *extra) { (void)extra; freed++; return MPI_SUCCESS; }
static int cancel(void *extra, int complete) { (void)extra; cancels = !complete; return MPI_SUCCESS; }

static void generalized(void) {
	MPI_Request r;
	MPI_Status s;
	int extra = 5, n, flag;
	OK(MPI_Grequest_start(query, done, cancel, &extra, &r));
	OK(MPI_Test(&r, &flag, &s));
	CHECK(!flag);
	OK(MPI_Cancel(&r));
	OK(MPI_Grequest_complete(r));
	OK(MPI_Wait(&r, &s));
	OK(MPI_Get_count(&s, MPI_INT, &n));
	OK(MPI_Test_cancelled(&s, &flag));
	CHECK(queried >= 1 && freed == 1 && n == 5 && flag && s.MPI_SOURCE == 3 && s.MPI_TAG == 4);
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	peer = 1 - rank;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	several();
	inStatus();
	persistent();
	partitioned();
	cancelled();
	generalized();
	end();
}
