/* Wrong use: each gives an error, and the program goes on. */
#include "check.h"

static MPI_Comm callbacks;
static int called;

static int copy(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag) {
	int n;
	called++;
	MPI_Comm_size(c, &n); /* a callback calls MPI */
	MPI_Comm_dup(MPI_COMM_SELF, &callbacks);
	MPI_Comm_free(&callbacks);
	*(void **)out = in;
	*flag = n == size && key != MPI_KEYVAL_INVALID && extra == &called;
	return MPI_SUCCESS;
}
static int delete(MPI_Comm c, int key, void *value, void *extra) {
	(void)c, (void)key, (void)value, (void)extra;
	called++;
	return MPI_SUCCESS;
}
static int refuse(MPI_Comm c, int key, void *value, void *extra) {
	(void)c, (void)key, (void)value, (void)extra;
	return MPI_ERR_NAME;
}

static void handles(void) {
	MPI_Comm c, old;
	MPI_Request r, stale;
	MPI_Group g, oldGroup;
	MPI_Info i, oldInfo;
	int x = 0, flag;
	OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
	old = c;
	OK(MPI_Comm_free(&c));
	CHECK(c == MPI_COMM_NULL);
	FAILS(MPI_ERR_COMM, MPI_Comm_rank(old, &x));
	FAILS(MPI_ERR_COMM, MPI_Comm_rank(MPI_COMM_NULL, &x));
	FAILS(MPI_ERR_COMM, MPI_Comm_free(&old));
	FAILS(MPI_ERR_COMM, MPI_Comm_rank((MPI_Comm)(long)0x7fffffff, &x));
	FAILS(MPI_ERR_COMM, MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
	OK(MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r));
	stale = r;
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE)); /* null */
	FAILS(MPI_ERR_REQUEST, MPI_Wait(&stale, MPI_STATUS_IGNORE));
	FAILS(MPI_ERR_REQUEST, MPI_Test(&stale, &flag, MPI_STATUS_IGNORE));
	FAILS(MPI_ERR_REQUEST, MPI_Waitall(1, &stale, MPI_STATUSES_IGNORE));
	FAILS(MPI_ERR_REQUEST, MPI_Request_free(&r));
	FAILS(MPI_ERR_REQUEST, MPI_Start(&r));
	OK(MPI_Comm_group(MPI_COMM_WORLD, &g));
	oldGroup = g;
	OK(MPI_Group_free(&g));
	FAILS(MPI_ERR_GROUP, MPI_Group_size(oldGroup, &x));
	OK(MPI_Info_create(&i));
	oldInfo = i;
	OK(MPI_Info_free(&i));
	FAILS(MPI_ERR_INFO, MPI_Info_set(oldInfo, "a", "b"));
	FAILS(MPI_ERR_INFO, MPI_Info_free(&oldInfo));
	FAILS(MPI_ERR_TYPE, MPI_Send(&x, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD));
	FAILS(MPI_ERR_TYPE, MPI_Send(&x, 1, (MPI_Datatype)(long)0x7777777, 0, 0, MPI_COMM_WORLD));
}

static void arguments(void) {
	int x = 0;
	FAILS(MPI_ERR_COUNT, MPI_Send(&x, -1, MPI_INT, 0, 0, MPI_COMM_WORLD));
	FAILS(MPI_ERR_RANK, MPI_Send(&x, 1, MPI_INT, size, 0, MPI_COMM_WORLD));
	FAILS(MPI_ERR_RANK, MPI_Send(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD));
	FAILS(MPI_ERR_TAG, MPI_Send(&x, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD));
	FAILS(MPI_ERR_TAG, MPI_Send(&x, 1, MPI_INT, 0, -7, MPI_COMM_WORLD));
	FAILS(MPI_ERR_BUFFER, MPI_Send(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
	FAILS(MPI_ERR_ARG, MPI_Comm_rank(MPI_COMM_WORLD, NULL));
	FAILS(MPI_ERR_ARG, MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL));
	FAILS(MPI_ERR_ARG, MPI_Wait(NULL, MPI_STATUS_IGNORE));
	FAILS(MPI_ERR_ARG, MPI_Comm_free(NULL));
	FAILS(MPI_ERR_ARG, MPI_Waitall(-1, NULL, MPI_STATUSES_IGNORE));
}

static void attributes(void) {
	MPI_Comm c, d;
	int key, other, flag, *value;
	OK(MPI_Comm_create_keyval(copy, delete, &key, &called));
	OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
	OK(MPI_Comm_set_attr(c, key, &key));
	OK(MPI_Comm_dup(c, &d));
	CHECK(called == 1);
	OK(MPI_Comm_get_attr(d, key, &value, &flag));
	CHECK(flag && value == &key);
	OK(MPI_Comm_delete_attr(d, key));
	CHECK(called == 2);
	OK(MPI_Comm_get_attr(d, key, &value, &flag));
	CHECK(!flag);
	OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &other, NULL));
	OK(MPI_Comm_set_attr(d, other, NULL));
	CHECK(MPI_Comm_delete_attr(d, other) == MPI_ERR_NAME);
	FAILS(MPI_ERR_KEYVAL, MPI_Comm_set_attr(d, 12345, NULL));
	OK(MPI_Comm_free_keyval(&key));
	CHECK(key == MPI_KEYVAL_INVALID);
	OK(MPI_Comm_free(&c));
	CHECK(called == 3);
	OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
	CHECK(flag && *value >= 32767);
	OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag));
	CHECK(flag && *value == size);
}

static void manyRequests(void) {
	enum { MANY = 1000000 };
	MPI_Request *r = malloc(MANY * sizeof *r);
	int x = 0;
	for (int i = 0; i < MANY; i++) OK(MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[i]));
	OK(MPI_Waitall(MANY, r, MPI_STATUSES_IGNORE));
	free(r);
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	handles();
	arguments();
	attributes();
	manyRequests();
	end();
}
