/* Datatypes: what each constructor makes, and what can be asked about it. */
#include "check.h"

static void sizes(void) {
	struct {
		MPI_Datatype type;
		int size;
		const char *name;
	} all[] = {
		{MPI_CHAR, 1, "MPI_CHAR"}, {MPI_INT, 4, "MPI_INT"}, {MPI_LONG, sizeof(long), "MPI_LONG"}, {MPI_DOUBLE, 8, "MPI_DOUBLE"},
		{MPI_LONG_DOUBLE, sizeof(long double), "MPI_LONG_DOUBLE"}, {MPI_INT64_T, 8, "MPI_INT64_T"},
		{MPI_C_DOUBLE_COMPLEX, 16, "MPI_C_DOUBLE_COMPLEX"}, {MPI_DOUBLE_INT, 12, "MPI_DOUBLE_INT"}, {MPI_SHORT_INT, 6, "MPI_SHORT_INT"},
		{MPI_BYTE, 1, "MPI_BYTE"}, {MPI_PACKED, 1, "MPI_PACKED"}, {MPI_C_BOOL, sizeof(_Bool), "MPI_C_BOOL"}, {MPI_AINT, 8, "MPI_AINT"},
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		int size, length;
		char name[MPI_MAX_OBJECT_NAME];
		MPI_Type_size(all[i].type, &size);
		MPI_Type_get_name(all[i].type, name, &length);
		CHECK(size == all[i].size);
		CHECK(strcmp(name, all[i].name) == 0 && length == (int)strlen(name));
	}
	struct { double d; int i; } pair;
	MPI_Aint low, extent;
	MPI_Type_get_extent(MPI_DOUBLE_INT, &low, &extent);
	CHECK(low == 0 && extent == (MPI_Aint)sizeof pair);
}

static void contents(void) {
	MPI_Datatype column, part, copy, parts[2];
	int ints[8], lengths[2] = {1, 2}, integers, addresses, datatypes, combiner;
	MPI_Aint displacements[2] = {0, 64}, low, extent, got[2];
	MPI_Type_vector(3, 2, 5, MPI_INT, &column);
	MPI_Type_get_extent(column, &low, &extent);
	CHECK(low == 0 && extent == 48);
	MPI_Type_get_envelope(column, &integers, &addresses, &datatypes, &combiner);
	CHECK(integers == 3 && addresses == 0 && datatypes == 1 && combiner == MPI_COMBINER_VECTOR);
	MPI_Type_get_contents(column, 3, 0, 1, ints, NULL, parts);
	CHECK(ints[0] == 3 && ints[1] == 2 && ints[2] == 5 && parts[0] == MPI_INT);
	parts[0] = MPI_DOUBLE;
	parts[1] = column;
	MPI_Type_create_struct(2, lengths, displacements, parts, &part);
	MPI_Type_free(&column);
	CHECK(column == MPI_DATATYPE_NULL);
	MPI_Type_get_envelope(part, &integers, &addresses, &datatypes, &combiner);
	CHECK(integers == 3 && addresses == 2 && datatypes == 2 && combiner == MPI_COMBINER_STRUCT);
	MPI_Type_get_contents(part, 3, 2, 2, ints, got, parts);
	CHECK(ints[0] == 2 && ints[2] == 2 && got[1] == 64 && parts[0] == MPI_DOUBLE);
	MPI_Type_get_envelope(parts[1], &integers, &addresses, &datatypes, &combiner);
	CHECK(combiner == MPI_COMBINER_VECTOR);
	MPI_Type_free(&parts[1]);
	MPI_Type_set_name(part, "part");
	MPI_Type_dup(part, &copy);
	MPI_Type_get_envelope(copy, &integers, &addresses, &datatypes, &combiner);
	CHECK(combiner == MPI_COMBINER_DUP);
	char name[MPI_MAX_OBJECT_NAME];
	MPI_Type_get_name(copy, name, &integers);
	CHECK(integers == 0 && name[0] == 0);
	MPI_Type_free(&copy);
	MPI_Type_free(&part);

	int sizes[2] = {4, 6}, subsizes[2] = {2, 3}, starts[2] = {1, 2};
	MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_INT, &part);
	MPI_Type_get_envelope(part, &integers, &addresses, &datatypes, &combiner);
	CHECK(integers == 8 && combiner == MPI_COMBINER_SUBARRAY);
	MPI_Type_get_contents(part, 8, 0, 1, ints, NULL, parts);
	CHECK(ints[0] == 2 && ints[2] == 6 && ints[6] == 2 && ints[7] == MPI_ORDER_FORTRAN);
	MPI_Type_free(&part);

	MPI_Datatype real, again;
	MPI_Type_create_f90_real(15, 300, &real);
	MPI_Type_create_f90_real(15, 300, &again);
	CHECK(real == again);
	MPI_Type_get_envelope(real, &integers, &addresses, &datatypes, &combiner);
	CHECK(integers == 2 && combiner == MPI_COMBINER_F90_REAL);
	MPI_Type_size(real, &integers);
	CHECK(integers == 8);
	MPI_Type_match_size(MPI_TYPECLASS_REAL, 4, &real);
	MPI_Type_size(real, &integers);
	CHECK(integers == 4);
	MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 8, &real);
	MPI_Type_size(real, &integers);
	CHECK(integers == 8);
}

static int copies, deletes;
static int copy_fn(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag) {
	(void)type, (void)keyval, (void)extra;
	*(void **)out = in;
	*flag = 1;
	copies++;
	return MPI_SUCCESS;
}
static int delete_fn(MPI_Datatype type, int keyval, void *value, void *extra) {
	(void)type, (void)keyval, (void)extra, (void)value;
	deletes++;
	return MPI_SUCCESS;
}

static void attributes(void) {
	int keyval, flag, value = 7, *got;
	MPI_Datatype type, copy;
	MPI_Type_create_keyval(copy_fn, delete_fn, &keyval, NULL);
	MPI_Type_contiguous(2, MPI_INT, &type);
	MPI_Type_set_attr(type, keyval, &value);
	MPI_Type_dup(type, &copy);
	CHECK(copies == 1);
	MPI_Type_get_attr(copy, keyval, &got, &flag);
	CHECK(flag && got == &value);
	MPI_Type_free(&type);
	CHECK(deletes == 1);
	MPI_Type_delete_attr(copy, keyval);
	CHECK(deletes == 2);
	MPI_Type_get_attr(copy, keyval, &got, &flag);
	CHECK(!flag);
	MPI_Type_free(&copy);
	CHECK(deletes == 2);
	MPI_Type_free_keyval(&keyval);
	CHECK(keyval == MPI_KEYVAL_INVALID);
}

static void packing(void) {
	int values[3] = {1, 2, 3}, back[3] = {0}, position = 0, size;
	double number = 4.5, there = 0;
	char buffer[64];
	MPI_Pack_size(3, MPI_INT, MPI_COMM_WORLD, &size);
	CHECK(size >= 12 && size <= 64);
	MPI_Pack(values, 3, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
	MPI_Pack(&number, 1, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
	CHECK(position == 20);
	position = 0;
	MPI_Unpack(buffer, sizeof buffer, &position, back, 3, MPI_INT, MPI_COMM_WORLD);
	MPI_Unpack(buffer, sizeof buffer, &position, &there, 1, MPI_DOUBLE, MPI_COMM_WORLD);
	CHECK(position == 20 && there == 4.5 && back[2] == 3);
	MPI_Aint at = 0, bytes;
	MPI_Pack_external_size("external32", 3, MPI_INT, &bytes);
	CHECK(bytes == 12);
	MPI_Pack_external("external32", values, 3, MPI_INT, buffer, sizeof buffer, &at);
	CHECK(at == 12 && buffer[3] == 1 && buffer[0] == 0);
	at = 0;
	memset(back, 0, sizeof back);
	MPI_Unpack_external("external32", buffer, 12, &at, back, 3, MPI_INT);
	CHECK(at == 12 && back[0] == 1 && back[2] == 3);
}

static void wrong(void) {
	MPI_Datatype type = MPI_DATATYPE_NULL, old;
	int size, value = 0;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	FAILS(MPI_ERR_TYPE, MPI_Type_size(type, &size));
	FAILS(MPI_ERR_COUNT, MPI_Type_contiguous(-1, MPI_INT, &type));
	type = MPI_INT;
	FAILS(MPI_ERR_TYPE, MPI_Type_free(&type));
	OK(MPI_Type_contiguous(2, MPI_INT, &type));
	FAILS(MPI_ERR_TYPE, MPI_Send(&value, 1, type, MPI_PROC_NULL, 0, MPI_COMM_WORLD)); /* not committed */
	old = type;
	OK(MPI_Type_free(&type));
	FAILS(MPI_ERR_TYPE, MPI_Type_size(old, &size));
	FAILS(MPI_ERR_ARG, MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &type));
}

/* Elements of other types than the receive's are taken, unless SCTPMPI_CHECK=types. */
static void mixed(void) {
	long out = 7, in = 0;
	char raw[8];
	if (getenv("SCTPMPI_CHECK")) {
		FAILS(MPI_ERR_TYPE, MPI_Sendrecv(&out, 1, MPI_LONG, 0, 0, &in, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
	} else {
		OK(MPI_Sendrecv(&out, 1, MPI_LONG, 0, 0, &in, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
		CHECK(in == 7);
		OK(MPI_Sendrecv(&out, 1, MPI_LONG, 0, 0, raw, 8, MPI_CHAR, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
		CHECK(memcmp(raw, &out, 8) == 0);
	}
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	sizes();
	contents();
	attributes();
	packing();
	wrong();
	mixed();
	end();
	return 0;
}
