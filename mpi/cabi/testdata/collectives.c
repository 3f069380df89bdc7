/* Collective operations, in place and not, in all forms. */
#include <complex.h>
#include "check.h"

static void moving(void) {
	int mine[2] = {rank, -rank}, *all = malloc(2 * size * sizeof(int)), counts[16], displs[16];
	for (int i = 0; i < size; i++) {
		counts[i] = i % 3;
		displs[i] = 3 * (size - 1 - i);
	}
	MPI_Allgather(mine, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++) CHECK(all[2 * i] == i && all[2 * i + 1] == -i);
	for (int i = 0; i < 2 * size; i++) all[i] = i / 2 == rank ? i : -1;
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 2, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < 2 * size; i++) CHECK(all[i] == i);
	for (int i = 0; i < size; i++) all[i] = 100 * rank + i;
	MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++) CHECK(all[i] == 100 * i + rank);
	int some[48];
	for (int i = 0; i < 48; i++) some[i] = -1;
	int out[3] = {rank, rank, rank};
	MPI_Gatherv(out, counts[rank], MPI_INT, some, counts, displs, MPI_INT, size - 1, MPI_COMM_WORLD);
	if (rank == size - 1)
		for (int i = 0; i < size; i++)
			for (int k = 0; k < 3; k++) CHECK(some[displs[i] + k] == (k < counts[i] ? i : -1));
	MPI_Scatterv(some, counts, displs, MPI_INT, rank == size - 1 ? MPI_IN_PLACE : out, counts[rank], MPI_INT, size - 1, MPI_COMM_WORLD);
	MPI_Request request;
	int root = rank == 0 ? 42 : 0;
	MPI_Ibcast(&root, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(root == 42 && request == MPI_REQUEST_NULL);
	free(all);
}

/* Matrices do not commute. */
static void multiply(void *in, void *inout, int *n, MPI_Datatype *type) {
	(void)type;
	double(*a)[4] = in, (*b)[4] = inout;
	for (int i = 0; i < *n; i++) {
		double c[4] = {a[i][0] * b[i][0] + a[i][1] * b[i][2], a[i][0] * b[i][1] + a[i][1] * b[i][3],
					   a[i][2] * b[i][0] + a[i][3] * b[i][2], a[i][2] * b[i][1] + a[i][3] * b[i][3]};
		for (int k = 0; k < 4; k++) b[i][k] = c[k];
	}
}

static void smallest(void *in, void *inout, int *n, MPI_Datatype *type) {
	int bytes = 0;
	OK(MPI_Type_size(*type, &bytes));
	CHECK(bytes == 4 * (int)sizeof(double));
	for (int i = 0; i < 4 * *n; i++)
		if (((double *)in)[i] < ((double *)inout)[i]) ((double *)inout)[i] = ((double *)in)[i];
}

static void reducing(void) {
	long double ld = rank + 0.5L, lds;
	double complex z = rank + I, zs;
	struct { double value; int index; } at = {rank == 1 ? 5 : rank, rank}, far;
	int n = rank + 1, sum, yes = rank != 0, all;
	MPI_Allreduce(&ld, &lds, 1, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	CHECK(lds == size * (size - 1) / 2 + 0.5L * size);
	MPI_Allreduce(&z, &zs, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
	CHECK(creal(zs) == size * (size - 1) / 2 && cimag(zs) == size);
	MPI_Allreduce(&at, &far, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
	CHECK(size < 2 || size > 5 || (far.value == 5 && far.index == 1));
	MPI_Allreduce(&yes, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
	CHECK(all == 0);
	sum = n;
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	CHECK(sum == size * (size + 1) / 2);
	MPI_Scan(&n, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	CHECK(sum == (rank + 1) * (rank + 2) / 2);
	int vector[16], counts[16];
	for (int i = 0; i < size; i++) vector[i] = i, counts[i] = 1;
	MPI_Reduce_scatter(MPI_IN_PLACE, vector, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	CHECK(vector[0] == rank * size);
	for (int i = 0; i < size; i++) vector[i] = i;
	MPI_Reduce_scatter_block(vector, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	CHECK(sum == rank * size);

	MPI_Op op;
	MPI_Datatype matrix;
	MPI_Type_contiguous(4, MPI_DOUBLE, &matrix);
	MPI_Type_commit(&matrix);
	MPI_Op_create(multiply, 0, &op);
	double m[4] = {1, rank + 1, 0, rank % 2 ? 2 : 1}, expected[4] = {1, 0, 0, 1}, result[4];
	for (int i = 0; i < size; i++) {
		double next[4] = {1, i + 1, 0, i % 2 ? 2 : 1};
		int one = 1;
		double left[4] = {expected[0], expected[1], expected[2], expected[3]};
		multiply(left, next, &one, NULL);
		for (int k = 0; k < 4; k++) expected[k] = next[k];
	}
	MPI_Allreduce(m, result, 1, matrix, op, MPI_COMM_WORLD);
	for (int k = 0; k < 4; k++) CHECK(result[k] == expected[k]);
	MPI_Request request;
	for (int k = 0; k < 4; k++) result[k] = 0;
	MPI_Ireduce(m, result, 1, matrix, op, 0, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (rank == 0)
		for (int k = 0; k < 4; k++) CHECK(result[k] == expected[k]);
	MPI_Op first;
	MPI_Op_create(smallest, 1, &first);
	MPI_Datatype early;
	MPI_Type_dup(matrix, &early);
	if (rank > 0) MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Iallreduce(m, result, 1, early, first, MPI_COMM_WORLD, &request);
	MPI_Type_free(&early); /* the function gets a type that is there all the same */
	MPI_Op_free(&first);
	for (int i = 1; rank == 0 && i < size; i++) MPI_Send(NULL, 0, MPI_INT, i, 0, MPI_COMM_WORLD); /* now they begin */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(result[0] == 1 && result[1] == 1 && result[2] == 0 && result[3] == 1);
	int commutes;
	MPI_Op_commutative(op, &commutes);
	CHECK(!commutes);
	MPI_Op_free(&op);
	CHECK(op == MPI_OP_NULL);
	MPI_Type_free(&matrix);
	float in = 3, inout = 4;
	MPI_Reduce_local(&in, &inout, 1, MPI_FLOAT, MPI_PROD);
	CHECK(inout == 12);
	FAILS(MPI_ERR_OP, MPI_Allreduce(&in, &inout, 1, MPI_FLOAT, MPI_BAND, MPI_COMM_WORLD));
}

static void typed(void) {
	/* Columns of a matrix go to rows. */
	int matrix[4][4], row[4] = {0};
	MPI_Datatype column, narrow;
	for (int i = 0; i < 16; i++) matrix[i / 4][i % 4] = 100 * rank + i;
	MPI_Type_vector(4, 1, 4, MPI_INT, &column);
	MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
	MPI_Type_commit(&narrow);
	if (size <= 4) {
		MPI_Scatter(matrix, 1, narrow, row, 4, MPI_INT, 0, MPI_COMM_WORLD);
		for (int i = 0; i < 4; i++) CHECK(row[i] == 4 * i + rank);
	}
	int counts[16] = {0}, displs[16] = {0};
	MPI_Datatype types[16];
	int in[16] = {0};
	for (int i = 0; i < size; i++) counts[i] = 1, displs[i] = 4 * i, types[i] = MPI_INT;
	int out[16];
	for (int i = 0; i < size; i++) out[i] = 10 * rank + i;
	MPI_Alltoallw(out, counts, displs, types, in, counts, displs, types, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++) CHECK(in[i] == 10 * i + rank);
	MPI_Type_free(&column);
	MPI_Type_free(&narrow);
}

/* A persistent operation is started again and again. */
static void persistent(void) {
	int out = 0, sum = 0;
	MPI_Request request;
	OK(MPI_Allreduce_init(&out, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
	for (out = 1; out < 4; out++) {
		OK(MPI_Start(&request));
		OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
		CHECK(request != MPI_REQUEST_NULL && sum == out * size);
	}
	OK(MPI_Request_free(&request));
}

/* Ranks around a ring. */
static void neighbors(void) {
	int dims = size, periods = 1, before = (rank + size - 1) % size, after = (rank + 1) % size, in[2], out[2] = {rank, -rank};
	int counts[2] = {1, 1}, back[2] = {1, 0};
	MPI_Aint displs[2] = {4, 0};
	MPI_Datatype types[2] = {MPI_INT, MPI_FLOAT}, others[2] = {MPI_FLOAT, MPI_INT};
	MPI_Comm ring;
	OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periods, 0, &ring));
	OK(MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, ring));
	CHECK(in[0] == before && in[1] == after);
	OK(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring));
	CHECK(in[0] == -before && in[1] == after);
	OK(MPI_Neighbor_allgatherv(&rank, 1, MPI_INT, in, counts, back, MPI_INT, ring));
	CHECK(in[1] == before && in[0] == after);
	OK(MPI_Neighbor_alltoallw(out, counts, displs, types, in, counts, displs, others, ring));
	CHECK(in[1] == before && in[0] == -after);
	FAILS(MPI_ERR_TOPOLOGY, MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD));
	OK(MPI_Comm_free(&ring));
}

/* Two groups: the first rank, and all others. */
static void between(void) {
	int first = rank == 0, sum = -1, value = first ? 42 : rank, all[16];
	MPI_Comm local, both;
	OK(MPI_Comm_split(MPI_COMM_WORLD, first, rank, &local));
	OK(MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, first, 5, &both));
	OK(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, both));
	CHECK(sum == (first ? size * (size - 1) / 2 : 42));
	OK(MPI_Bcast(&value, 1, MPI_INT, first ? MPI_ROOT : 0, both));
	CHECK(value == 42);
	OK(MPI_Gather(first ? NULL : &rank, first ? 0 : 1, MPI_INT, all, 1, MPI_INT, first ? MPI_ROOT : 0, both));
	if (first)
		for (int i = 1; i < size; i++) CHECK(all[i - 1] == i);
	OK(MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_MAX, first ? MPI_ROOT : 0, both));
	CHECK(!first || sum == size - 1);
	OK(MPI_Comm_free(&both));
	OK(MPI_Comm_free(&local));
}

/* The arguments of one rank are wrong. The others, which wait for it, fail too, and the communicator can still be used. */
static void refused(void) {
	MPI_Comm c, made;
	MPI_Group g;
	MPI_Request r;
	int wrong = rank == 1, x = 0, xs[16];
	OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
	FAILS(MPI_ERR_COUNT, MPI_Bcast(&x, wrong ? -1 : 1, MPI_INT, 1, c));
	FAILS(MPI_ERR_BUFFER, MPI_Bcast(wrong ? MPI_IN_PLACE : &x, 1, MPI_INT, 1, c));
	FAILS(MPI_ERR_TYPE, MPI_Allgather(&x, 1, MPI_INT, xs, 1, wrong ? MPI_DATATYPE_NULL : MPI_INT, c));
	FAILS(MPI_ERR_COUNT, MPI_Alltoall(xs, wrong ? -1 : 0, MPI_INT, xs, 0, MPI_INT, c));
	FAILS(MPI_ERR_OP, MPI_Allreduce(&x, xs, 1, MPI_INT, wrong ? MPI_OP_NULL : MPI_SUM, c));
	FAILS(MPI_ERR_OP, MPI_Allreduce(&x, xs, 1, MPI_FLOAT, wrong ? MPI_BAND : MPI_SUM, c));
	int code = MPI_Iallreduce(&x, xs, wrong ? -1 : 1, MPI_INT, MPI_SUM, c, &r);
	FAILS(MPI_ERR_COUNT, code ? code : MPI_Wait(&r, MPI_STATUS_IGNORE));
	OK(MPI_Comm_group(c, &g));
	CHECK(MPI_Comm_create(c, wrong ? MPI_GROUP_NULL : g, &made) != MPI_SUCCESS);
	CHECK(MPI_Comm_split_type(c, wrong ? -1 : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made) != MPI_SUCCESS);
	OK(MPI_Group_free(&g));
	x = rank;
	OK(MPI_Bcast(&x, 1, MPI_INT, 1, c));
	CHECK(x == 1);
	OK(MPI_Comm_free(&c));
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	moving();
	typed();
	reducing();
	persistent();
	neighbors();
	between();
	refused();
	end();
	return 0;
}
