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
static int refuses = 1;
static int refuse(MPI_Comm c, int key, void *value, void *extra) {
	(void)c, (void)key, (void)value, (void)extra;
	return refuses ? MPI_ERR_NAME : MPI_SUCCESS;
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

static int keeping = 1;
static int keep(MPI_Win w, int key, void *value, void *extra) {
	(void)w, (void)key, (void)value, (void)extra;
	return keeping ? MPI_ERR_NAME : MPI_SUCCESS;
}

/* A window is not freed if a function of the program fails. */
static void freeing(MPI_Win *w) {
	int key;
	MPI_Win whole = *w;
	OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, keep, &key, NULL));
	OK(MPI_Win_set_attr(*w, key, NULL));
	CHECK(MPI_Win_free(w) == MPI_ERR_NAME);
	CHECK(*w == whole);
	OK(MPI_Win_fence(0, *w));
	keeping = 0;
	OK(MPI_Win_free(w));
	OK(MPI_Win_free_keyval(&key));
}

/* Null pointers where results are to go. */
static void nothingThere(void) {
	int x = 0, n = 0, flag = 0;
	MPI_Request r;
	MPI_Group g;
	MPI_Datatype t, parts[1];
	MPI_Aint a;
	MPI_Errhandler h;
	OK(MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r));
	FAILS(MPI_ERR_ARG, MPI_Waitsome(1, &r, &n, NULL, MPI_STATUSES_IGNORE));
	FAILS(MPI_ERR_ARG, MPI_Testsome(1, &r, &n, NULL, MPI_STATUSES_IGNORE));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	OK(MPI_Comm_group(MPI_COMM_WORLD, &g));
	FAILS(MPI_ERR_ARG, MPI_Group_translate_ranks(g, 1, &rank, g, NULL));
	OK(MPI_Group_free(&g));
	OK(MPI_Type_contiguous(2, MPI_INT, &t));
	FAILS(MPI_ERR_ARG, MPI_Type_get_contents(t, 1, 0, 1, NULL, &a, parts));
	FAILS(MPI_ERR_ARG, MPI_Type_get_contents(t, 1, 0, 1, &n, &a, NULL));
	OK(MPI_Type_get_contents(t, 1, 0, 1, &n, NULL, parts));
	CHECK(n == 2 && parts[0] == MPI_INT);
	OK(MPI_Type_free(&t));
	FAILS(MPI_ERR_ARG, MPI_Comm_create_errhandler(NULL, &h));
	OK(MPI_Parrived(MPI_REQUEST_NULL, 0, &flag));
	CHECK(flag);
	OK(MPI_Precv_init(&x, 1, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r));
	flag = 0;
	OK(MPI_Parrived(r, 0, &flag)); /* it is not active */
	CHECK(flag);
	OK(MPI_Request_free(&r));
}

static void arguments(void) {
	int x = 0, y = 1;
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
	FAILS(MPI_ERR_BUFFER, MPI_Send(MPI_IN_PLACE, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
	FAILS(MPI_ERR_BUFFER, MPI_Recv((void *)4095, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	OK(MPI_Send((void *)1, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
	FAILS(MPI_ERR_BUFFER, MPI_Reduce_local(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM));
	FAILS(MPI_ERR_BUFFER, MPI_Reduce_local(&x, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM));
	FAILS(MPI_ERR_BUFFER, MPI_Allreduce((void *)2, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF));
	FAILS(MPI_ERR_BUFFER, MPI_Unpack(MPI_IN_PLACE, 4, &(int){0}, &x, 1, MPI_INT, MPI_COMM_WORLD));
	MPI_Win w;
	FAILS(MPI_ERR_BUFFER, MPI_Win_create((void *)1, 4, 1, MPI_INFO_NULL, MPI_COMM_SELF, &w));
	OK(MPI_Win_create(&x, 4, 1, MPI_INFO_NULL, MPI_COMM_SELF, &w));
	OK(MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN));
	OK(MPI_Win_fence(0, w));
	/* No elements need no memory, and MPI_NO_OP no operands. */
	for (int i = 0; i < 2; i++) {
		MPI_Op op = i ? MPI_NO_OP : MPI_SUM;
		OK(MPI_Get_accumulate(NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, 0, 0, MPI_INT, op, w));
		OK(MPI_Get_accumulate(NULL, 0, MPI_INT, &y, 0, MPI_INT, 0, 0, 0, MPI_INT, op, w));
	}
	OK(MPI_Get_accumulate(NULL, 0, MPI_INT, &y, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, w));
	FAILS(MPI_ERR_BUFFER, MPI_Compare_and_swap(&x, NULL, &(int){0}, MPI_INT, 0, 0, w));
	OK(MPI_Win_fence(0, w));
	CHECK(y == 0);
	freeing(&w);
	nothingThere();
}

static void attributes(void) {
	MPI_Comm c, d, whole;
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
	whole = d;
	CHECK(MPI_Comm_free(&d) == MPI_ERR_NAME); /* it is not freed, and the others need not know */
	CHECK(d == whole);
	OK(MPI_Barrier(d));
	refuses = 0;
	OK(MPI_Comm_free(&d));
	CHECK(d == MPI_COMM_NULL);
	OK(MPI_Comm_dup(MPI_COMM_WORLD, &d));
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

/* A session is null, of no kind, or finalized. */
static void sessions(void) {
	MPI_Session s, stale;
	MPI_Info info, freed;
	MPI_Request r;
	char memory[100];
	void *back;
	int bytes;
	FAILS(MPI_ERR_SESSION, MPI_Session_attach_buffer(MPI_SESSION_NULL, memory, sizeof memory));
	FAILS(MPI_ERR_SESSION, MPI_Session_flush_buffer((MPI_Session)(long)0x7fffffff));
	OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s));
	FAILS(MPI_ERR_ARG, MPI_Session_attach_buffer(s, memory, -1));
	FAILS(MPI_ERR_BUFFER, MPI_Session_detach_buffer(s, &back, &bytes));
	stale = s;
	OK(MPI_Session_finalize(&s));
	FAILS(MPI_ERR_SESSION, MPI_Session_attach_buffer(stale, memory, sizeof memory));
	FAILS(MPI_ERR_SESSION, MPI_Session_detach_buffer(stale, &back, &bytes));
	FAILS(MPI_ERR_SESSION, MPI_Session_flush_buffer(stale));
	FAILS(MPI_ERR_SESSION, MPI_Session_iflush_buffer(stale, &r));
	OK(MPI_Info_create(&info));
	freed = info;
	OK(MPI_Info_free(&info));
	FAILS(MPI_ERR_INFO, MPI_Abi_set_fortran_info(freed));
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	handles();
	arguments();
	attributes();
	manyRequests();
	sessions();
	end();
}
