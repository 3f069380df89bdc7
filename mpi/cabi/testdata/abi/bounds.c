/* MPICH's ABI has MPI_LB and MPI_UB, which MPI had before version 3: in a struct they set its bounds. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define CHECK(is) ((is) ? (void)0 : (void)(wrong++, printf("line %d: %s\n", __LINE__, #is)))
static int wrong;

/* The name of a datatype is this one. */
static int named(MPI_Datatype type, const char *name) {
	char text[MPI_MAX_OBJECT_NAME];
	int length;
	return MPI_Type_get_name(type, text, &length) == MPI_SUCCESS && !strcmp(text, name);
}

int main(int argc, char **argv) {
	int lengths[] = {1, 2, 1}, integers[4], n, addresses, types, combiner, size;
	MPI_Aint at[] = {-8, 0, 24}, lb, extent, displacements[3];
	MPI_Datatype of[] = {MPI_LB, MPI_INT, MPI_UB}, has[3], type, pair;
	MPI_Init(&argc, &argv);
	CHECK(named(MPI_LB, "MPI_LB"));
	CHECK(named(MPI_UB, "MPI_UB"));
	CHECK(MPI_Type_size(MPI_LB, &size) == MPI_SUCCESS && size == 0);

	MPI_Type_create_struct(3, lengths, at, of, &type);
	MPI_Type_get_extent(type, &lb, &extent);
	MPI_Type_size(type, &size);
	CHECK(lb == -8 && extent == 32 && size == 8);
	MPI_Type_get_envelope(type, &n, &addresses, &types, &combiner);
	CHECK(combiner == MPI_COMBINER_STRUCT && n == 4 && addresses == 3 && types == 3);
	MPI_Type_get_contents(type, n, addresses, types, integers, displacements, has);
	CHECK(has[0] == MPI_LB && has[1] == MPI_INT && has[2] == MPI_UB);

	MPI_Type_contiguous(2, type, &pair);
	MPI_Type_get_extent(pair, &lb, &extent);
	CHECK(lb == -8 && extent == 64);
	MPI_Type_struct(2, lengths, at, of, &pair);
	MPI_Type_get_extent(pair, &lb, &extent);
	CHECK(lb == -8 && extent == 16);
	if (!wrong) puts("no errors");
	MPI_Finalize();
	return wrong != 0;
}
