/* Handles that are null, freed, of another kind or none at all are errors of the class of their kind, as are counts and buffers that cannot be. */
#include "check.h"

#define HANDLE(type, value) ((type)(long)(value))

/* WRONG makes the calls with a handle that is null, one that never was, one of 0, and one that has been freed. call uses h. */
#define WRONG(class, type, null, freed, call)                                                                  \
	do {                                                                                                       \
		type all_[] = {null, HANDLE(type, 0x7fffffff), HANDLE(type, 0x7123456), HANDLE(type, -1), freed};      \
		for (int i_ = 0; i_ < 5; i_++) {                                                                       \
			type h = all_[i_];                                                                                 \
			FAILS(class, call);                                                                                \
		}                                                                                                      \
	} while (0)

static int x, n, flag;
static MPI_Request r;
static MPI_Status s;

static void communicators(void) {
	MPI_Comm c, old;
	MPI_Group g;
	MPI_Info info;
	MPI_Errhandler e;
	OK(MPI_Comm_dup(MPI_COMM_SELF, &c));
	old = c;
	OK(MPI_Comm_free(&c));
	OK(MPI_Comm_dup(MPI_COMM_SELF, &c)); /* in its place */
	CHECK(c != old);
	WRONG(MPI_ERR_COMM, MPI_Comm, MPI_COMM_NULL, old, MPI_Comm_size(h, &n));
	WRONG(MPI_ERR_COMM, MPI_Comm, MPI_COMM_NULL, old, MPI_Barrier(h));
	WRONG(MPI_ERR_COMM, MPI_Comm, MPI_COMM_NULL, old, MPI_Isend(&x, 1, MPI_INT, 0, 0, h, &r));
	WRONG(MPI_ERR_COMM, MPI_Comm, MPI_COMM_NULL, old, MPI_Iprobe(0, 0, h, &flag, &s));
	WRONG(MPI_ERR_COMM, MPI_Comm, MPI_COMM_NULL, old, MPI_Iallreduce(&x, &n, 1, MPI_INT, MPI_SUM, h, &r));
	WRONG(MPI_ERR_COMM, MPI_Comm, MPI_COMM_NULL, old, MPI_Comm_group(h, &g));
	WRONG(MPI_ERR_COMM, MPI_Comm, MPI_COMM_NULL, old, MPI_Comm_dup(h, &c));
	WRONG(MPI_ERR_COMM, MPI_Comm, MPI_COMM_NULL, old, MPI_Comm_get_info(h, &info));
	WRONG(MPI_ERR_COMM, MPI_Comm, MPI_COMM_NULL, old, MPI_Comm_get_errhandler(h, &e));
	WRONG(MPI_ERR_COMM, MPI_Comm, MPI_COMM_NULL, old, MPI_Comm_set_errhandler(h, MPI_ERRORS_RETURN));
	WRONG(MPI_ERR_COMM, MPI_Comm, MPI_COMM_NULL, old, MPI_Topo_test(h, &n));
	WRONG(MPI_ERR_COMM, MPI_Comm, MPI_COMM_NULL, old, MPI_Pack_size(1, MPI_INT, h, &n));
}

static void groups(void) {
	MPI_Group g, old, made;
	OK(MPI_Comm_group(MPI_COMM_SELF, &g));
	old = g;
	OK(MPI_Group_free(&g));
	WRONG(MPI_ERR_GROUP, MPI_Group, MPI_GROUP_NULL, old, MPI_Group_size(h, &n));
	WRONG(MPI_ERR_GROUP, MPI_Group, MPI_GROUP_NULL, old, MPI_Group_incl(h, 1, &x, &made));
	WRONG(MPI_ERR_GROUP, MPI_Group, MPI_GROUP_NULL, old, MPI_Group_union(MPI_GROUP_EMPTY, h, &made));
	WRONG(MPI_ERR_GROUP, MPI_Group, MPI_GROUP_NULL, old, MPI_Group_compare(h, MPI_GROUP_EMPTY, &n));
	WRONG(MPI_ERR_GROUP, MPI_Group, MPI_GROUP_NULL, old, MPI_Group_free(&h));
}

static void datatypes(void) {
	MPI_Datatype t, old, made;
	MPI_Aint a, b;
	int one = 1;
	OK(MPI_Type_contiguous(2, MPI_INT, &t));
	old = t;
	OK(MPI_Type_free(&t));
	WRONG(MPI_ERR_TYPE, MPI_Datatype, MPI_DATATYPE_NULL, old, MPI_Type_size(h, &n));
	WRONG(MPI_ERR_TYPE, MPI_Datatype, MPI_DATATYPE_NULL, old, MPI_Type_get_extent(h, &a, &b));
	WRONG(MPI_ERR_TYPE, MPI_Datatype, MPI_DATATYPE_NULL, old, MPI_Type_contiguous(2, h, &made));
	WRONG(MPI_ERR_TYPE, MPI_Datatype, MPI_DATATYPE_NULL, old, MPI_Type_indexed(1, &one, &one, h, &made));
	WRONG(MPI_ERR_TYPE, MPI_Datatype, MPI_DATATYPE_NULL, old, MPI_Type_commit(&h));
	WRONG(MPI_ERR_TYPE, MPI_Datatype, MPI_DATATYPE_NULL, old, MPI_Type_free(&h));
	WRONG(MPI_ERR_TYPE, MPI_Datatype, MPI_DATATYPE_NULL, old, MPI_Send(&x, 1, h, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
	WRONG(MPI_ERR_TYPE, MPI_Datatype, MPI_DATATYPE_NULL, old, MPI_Bcast(&x, 1, h, 0, MPI_COMM_SELF));
	OK(MPI_Type_contiguous(2, MPI_INT, &t));
	FAILS(MPI_ERR_TYPE, MPI_Send(&x, 1, t, MPI_PROC_NULL, 0, MPI_COMM_WORLD)); /* not committed */
	OK(MPI_Type_free(&t));
	t = MPI_INT;
	FAILS(MPI_ERR_TYPE, MPI_Type_free(&t)); /* predefined */
}

static void add(void *in, void *inout, int *len, MPI_Datatype *t) {
	(void)t;
	for (int i = 0; i < *len; i++) ((int *)inout)[i] += ((int *)in)[i];
}

static void operations(void) {
	MPI_Op op, old;
	OK(MPI_Op_create(add, 1, &op));
	old = op;
	OK(MPI_Op_free(&op));
	WRONG(MPI_ERR_OP, MPI_Op, MPI_OP_NULL, old, MPI_Allreduce(&x, &n, 1, MPI_INT, h, MPI_COMM_SELF));
	WRONG(MPI_ERR_OP, MPI_Op, MPI_OP_NULL, old, MPI_Reduce_local(&x, &n, 1, MPI_INT, h));
	WRONG(MPI_ERR_OP, MPI_Op, MPI_OP_NULL, old, MPI_Op_commutative(h, &flag));
	WRONG(MPI_ERR_OP, MPI_Op, MPI_OP_NULL, old, MPI_Op_free(&h));
	op = MPI_SUM;
	FAILS(MPI_ERR_OP, MPI_Op_free(&op));
}

static void others(void) {
	MPI_Info info, oldInfo;
	MPI_Errhandler e = MPI_ERRHANDLER_NULL;
	MPI_Win w, oldWin;
	MPI_Request stale;
	MPI_Message m, taken;
	int key = 12345;
	OK(MPI_Info_create(&info));
	oldInfo = info;
	OK(MPI_Info_free(&info));
	WRONG(MPI_ERR_INFO, MPI_Info, oldInfo, oldInfo, MPI_Info_get_nkeys(h, &n));
	WRONG(MPI_ERR_INFO, MPI_Info, MPI_INFO_NULL, oldInfo, MPI_Info_free(&h));
	FAILS(MPI_ERR_INFO, MPI_Comm_dup_with_info(MPI_COMM_SELF, oldInfo, &(MPI_Comm){0}));
	CHECK(MPI_Comm_set_errhandler(MPI_COMM_SELF, e) != MPI_SUCCESS);
	CHECK(MPI_Errhandler_free(&e) != MPI_SUCCESS);
	CHECK(MPI_Comm_set_errhandler(MPI_COMM_SELF, HANDLE(MPI_Errhandler, 0x7123456)) != MPI_SUCCESS);
	OK(MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_SELF, &w));
	oldWin = w;
	OK(MPI_Win_free(&w));
	WRONG(MPI_ERR_WIN, MPI_Win, MPI_WIN_NULL, oldWin, MPI_Win_fence(0, h));
	WRONG(MPI_ERR_WIN, MPI_Win, MPI_WIN_NULL, oldWin, MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, h));
	WRONG(MPI_ERR_WIN, MPI_Win, MPI_WIN_NULL, oldWin, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, h));
	WRONG(MPI_ERR_WIN, MPI_Win, MPI_WIN_NULL, oldWin, MPI_Win_free(&h));
	WRONG(MPI_ERR_FILE, MPI_File, MPI_FILE_NULL, MPI_FILE_NULL, MPI_File_read(h, &x, 1, MPI_INT, &s));
	WRONG(MPI_ERR_FILE, MPI_File, MPI_FILE_NULL, MPI_FILE_NULL, MPI_File_close(&h));
	OK(MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r));
	stale = r;
	OK(MPI_Wait(&r, &s));
	OK(MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r)); /* in its place */
	WRONG(MPI_ERR_REQUEST, MPI_Request, stale, stale, MPI_Wait(&h, &s));
	WRONG(MPI_ERR_REQUEST, MPI_Request, stale, stale, MPI_Waitany(1, &h, &n, &s));
	WRONG(MPI_ERR_REQUEST, MPI_Request, stale, stale, MPI_Testall(1, &h, &flag, &s));
	WRONG(MPI_ERR_REQUEST, MPI_Request, MPI_REQUEST_NULL, stale, MPI_Cancel(&h));
	WRONG(MPI_ERR_REQUEST, MPI_Request, MPI_REQUEST_NULL, stale, MPI_Start(&h));
	WRONG(MPI_ERR_REQUEST, MPI_Request, MPI_REQUEST_NULL, stale, MPI_Request_free(&h));
	WRONG(MPI_ERR_REQUEST, MPI_Request, MPI_REQUEST_NULL, stale, MPI_Grequest_complete(h));
	OK(MPI_Wait(&r, &s));
	OK(MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r));
	OK(MPI_Mprobe(0, 0, MPI_COMM_SELF, &m, &s));
	taken = m;
	OK(MPI_Mrecv(&x, 1, MPI_INT, &m, &s));
	OK(MPI_Wait(&r, &s));
	WRONG(MPI_ERR_REQUEST, MPI_Message, MPI_MESSAGE_NULL, taken, MPI_Mrecv(&x, 1, MPI_INT, &h, &s));
	WRONG(MPI_ERR_REQUEST, MPI_Message, MPI_MESSAGE_NULL, taken, MPI_Imrecv(&x, 1, MPI_INT, &h, &r));
	FAILS(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_SELF, key, &x));
	FAILS(MPI_ERR_KEYVAL, MPI_Type_set_attr(MPI_INT, key, &x));
	FAILS(MPI_ERR_KEYVAL, MPI_Comm_free_keyval(&key));
	FAILS(MPI_ERR_KEYVAL, MPI_Comm_delete_attr(MPI_COMM_SELF, MPI_KEYVAL_INVALID));
}

/* Counts that are negative or too large, and buffers that are not there. */
static void amounts(void) {
	int counts[] = {-1}, zero[] = {0};
	FAILS(MPI_ERR_COUNT, MPI_Recv(&x, -1, MPI_INT, 0, 0, MPI_COMM_SELF, &s));
	FAILS(MPI_ERR_COUNT, MPI_Bcast(&x, -1, MPI_INT, 0, MPI_COMM_SELF));
	FAILS(MPI_ERR_COUNT, MPI_Gatherv(&x, 1, MPI_INT, &n, counts, zero, MPI_INT, 0, MPI_COMM_SELF));
	FAILS(MPI_ERR_BUFFER, MPI_Irecv(NULL, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r));
	FAILS(MPI_ERR_BUFFER, MPI_Bcast(NULL, 1, MPI_INT, 0, MPI_COMM_SELF));
	CHECK(MPI_Send_c(&x, (MPI_Count)1 << 62, MPI_DOUBLE, 0, 0, MPI_COMM_SELF) != MPI_SUCCESS);
	CHECK(MPI_Irecv_c(&x, (MPI_Count)1 << 62, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &r) != MPI_SUCCESS);
	CHECK(MPI_Bcast_c(&x, (MPI_Count)1 << 62, MPI_DOUBLE, 0, MPI_COMM_SELF) != MPI_SUCCESS);
	CHECK(MPI_Allgather_c(&x, (MPI_Count)1 << 62, MPI_DOUBLE, &x, (MPI_Count)1 << 62, MPI_DOUBLE, MPI_COMM_SELF) != MPI_SUCCESS);
	FAILS(MPI_ERR_ROOT, MPI_Bcast(&x, 1, MPI_INT, 7, MPI_COMM_SELF));
	FAILS(MPI_ERR_ROOT, MPI_Bcast(&x, 1, MPI_INT, -9, MPI_COMM_SELF));
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	communicators();
	groups();
	datatypes();
	operations();
	others();
	amounts();
	end();
}
