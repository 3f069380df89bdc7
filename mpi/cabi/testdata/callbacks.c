/* Functions of the program that the library calls may call MPI, and end the use of the object that they are called for. */
#include "check.h"

static MPI_Op ending;
static int called;

/* use is what a function does: messages, collective operations on this process alone, and objects that come and go. */
static void use(void) {
	int out = 5, in = 0;
	MPI_Comm c;
	MPI_Request r;
	called++;
	OK(MPI_Irecv(&in, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &r));
	OK(MPI_Send(&out, 1, MPI_INT, 0, 9, MPI_COMM_SELF));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	CHECK(in == 5);
	OK(MPI_Comm_dup(MPI_COMM_SELF, &c));
	OK(MPI_Barrier(c));
	OK(MPI_Comm_free(&c));
}

static void add(void *in, void *inout, int *n, MPI_Datatype *t) {
	int size_;
	use();
	OK(MPI_Type_size(*t, &size_));
	CHECK(size_ == sizeof(int));
	for (int i = 0; i < *n; i++) ((int *)inout)[i] += ((int *)in)[i];
	if (ending != MPI_OP_NULL) OK(MPI_Op_free(&ending));
}

/* An operation that is freed while it is at work does it to its end. */
static void operations(void) {
	int sum = 0;
	MPI_Op op;
	MPI_Request r;
	OK(MPI_Op_create(add, 1, &op));
	ending = MPI_OP_NULL;
	OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD));
	CHECK(sum == size * (size - 1) / 2);
	OK(MPI_Iallreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &r));
	ending = op;
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	CHECK(sum == size * (size - 1) / 2);
	if (ending != MPI_OP_NULL) OK(MPI_Op_free(&ending)); /* another rank has computed the sum */
	OK(MPI_Op_create(add, 1, &op));
	ending = op;
	sum = 3;
	OK(MPI_Reduce_local(&size, &sum, 1, MPI_INT, op));
	CHECK(sum == 3 + size && ending == MPI_OP_NULL);
	FAILS(MPI_ERR_OP, MPI_Reduce_local(&size, &sum, 1, MPI_INT, op));
}

static int key;
static int deleteKey(MPI_Comm c, int k, void *value, void *extra) {
	int mine = key;
	(void)c, (void)value, (void)extra;
	use();
	CHECK(k == key);
	if (mine != MPI_KEYVAL_INVALID) OK(MPI_Comm_free_keyval(&mine));
	return MPI_SUCCESS;
}
static int copyOther(MPI_Comm c, int k, void *extra, void *in, void *out, int *flag) {
	(void)k, (void)extra;
	use();
	OK(MPI_Comm_set_attr(c, key, NULL)); /* of the one that is being copied */
	*(void **)out = in;
	*flag = 1;
	return MPI_SUCCESS;
}

/* A keyval can be freed in the function that deletes an attribute of it, and attributes change while they are copied. */
static void attributes(void) {
	MPI_Comm c, d;
	int other;
	OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleteKey, &key, NULL));
	OK(MPI_Comm_create_keyval(copyOther, MPI_COMM_NULL_DELETE_FN, &other, NULL));
	OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
	OK(MPI_Comm_set_attr(c, other, &other));
	OK(MPI_Comm_dup(c, &d));
	OK(MPI_Comm_free(&d));
	OK(MPI_Comm_free(&c));
	OK(MPI_Comm_free_keyval(&other));
}

static int deleted;
static int freeComm(MPI_Comm c, int k, void *value, void *extra) {
	(void)k, (void)value, (void)extra;
	deleted++;
	FAILS(MPI_ERR_OTHER, MPI_Comm_free(&c));
	return MPI_SUCCESS;
}
static int freeType(MPI_Datatype t, int k, void *value, void *extra) {
	(void)k, (void)value, (void)extra;
	deleted++;
	FAILS(MPI_ERR_OTHER, MPI_Type_free(&t));
	return MPI_SUCCESS;
}
static int freeWin(MPI_Win w, int k, void *value, void *extra) {
	(void)k, (void)value, (void)extra;
	deleted++;
	FAILS(MPI_ERR_OTHER, MPI_Win_free(&w));
	return MPI_SUCCESS;
}

/* A function that deletes an attribute cannot free the object: it is called once, and the call that it serves does its work. */
static void objects(void) {
	MPI_Comm c;
	MPI_Datatype t;
	MPI_Win w;
	int ofComm, ofType, ofWin;
	OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, freeComm, &ofComm, NULL));
	OK(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, freeType, &ofType, NULL));
	OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, freeWin, &ofWin, NULL));
	for (int freeing = 0; freeing < 2; freeing++) { /* or the attribute alone is deleted first */
		OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
		OK(MPI_Type_contiguous(3, MPI_INT, &t));
		OK(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, c, &w));
		OK(MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN));
		OK(MPI_Comm_set_attr(c, ofComm, NULL));
		OK(MPI_Type_set_attr(t, ofType, NULL));
		OK(MPI_Win_set_attr(w, ofWin, NULL));
		deleted = 0;
		if (!freeing) {
			OK(MPI_Win_delete_attr(w, ofWin));
			OK(MPI_Type_delete_attr(t, ofType));
			OK(MPI_Comm_delete_attr(c, ofComm));
			CHECK(deleted == 3);
		}
		OK(MPI_Win_free(&w));
		OK(MPI_Type_free(&t));
		OK(MPI_Comm_free(&c));
		CHECK(deleted == 3);
	}
	OK(MPI_Comm_free_keyval(&ofComm));
	OK(MPI_Type_free_keyval(&ofType));
	OK(MPI_Win_free_keyval(&ofWin));
}

static void freeIt(MPI_Comm *c, int *code, ...) {
	int class;
	use();
	OK(MPI_Error_class(*code, &class));
	CHECK(class == MPI_ERR_RANK);
	OK(MPI_Comm_free(c));
}

/* An error handler may free its communicator, and itself. */
static void handlers(void) {
	MPI_Comm c, same;
	MPI_Errhandler e;
	OK(MPI_Comm_dup(MPI_COMM_SELF, &c));
	OK(MPI_Comm_create_errhandler(freeIt, &e));
	OK(MPI_Comm_set_errhandler(c, e));
	OK(MPI_Errhandler_free(&e));
	same = c;
	FAILS(MPI_ERR_RANK, MPI_Send(&size, 1, MPI_INT, 77, 0, c));
	FAILS(MPI_ERR_COMM, MPI_Comm_rank(same, &key));
}

static int query(void *extra, MPI_Status *s) {
	(void)extra;
	use();
	OK(MPI_Status_set_elements(s, MPI_INT, 2));
	OK(MPI_Status_set_cancelled(s, 0));
	s->MPI_SOURCE = 3;
	s->MPI_TAG = 4;
	return MPI_SUCCESS;
}
static int over(void *extra) {
	use();
	*(int *)extra = 1;
	return MPI_SUCCESS;
}
static int cancel(void *extra, int complete) {
	use();
	if (!complete) OK(MPI_Grequest_complete(*(MPI_Request *)extra));
	return MPI_SUCCESS;
}

/* The functions of a generalized request call MPI, and that which cancels it completes it. */
static void requests(void) {
	MPI_Request r;
	MPI_Status s;
	struct {
		MPI_Request r;
		int pad;
	} extra;
	int n, done = 0;
	OK(MPI_Grequest_start(query, over, cancel, &done, &r));
	OK(MPI_Grequest_complete(r));
	OK(MPI_Wait(&r, &s));
	OK(MPI_Get_count(&s, MPI_INT, &n));
	CHECK(n == 2 && s.MPI_SOURCE == 3 && s.MPI_TAG == 4 && done == 1);
	OK(MPI_Grequest_start(query, over, cancel, &extra, &r));
	extra.r = r;
	OK(MPI_Cancel(&r));
	OK(MPI_Wait(&r, &s));
	CHECK(r == MPI_REQUEST_NULL);
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	operations();
	attributes();
	objects();
	handlers();
	requests();
	CHECK(called > 0);
	end();
}
