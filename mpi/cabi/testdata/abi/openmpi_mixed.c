/* What openmpi.F90 has in C: handles, attributes and functions go from one language to the other. */
#include <mpi.h>

/* An attribute that Fortran has set is the address of a number. One that C sets is for Fortran what C has passed. */
void c_attribute_(MPI_Fint *comm, MPI_Fint *keyval, MPI_Aint *value) {
	static int ours;
	MPI_Comm c = MPI_Comm_f2c(*comm);
	MPI_Aint *v = NULL;
	int flag = 0;
	if (c != MPI_COMM_SELF || MPI_Comm_get_attr(c, *keyval, &v, &flag) || !flag || *v != -5) MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Comm_set_attr(c, *keyval, &ours);
	*value = (MPI_Aint)&ours;
}

/* An operation that is in Fortran, and a status. */
void c_reduce_(MPI_Fint *op, MPI_Fint *in, MPI_Fint *out, MPI_Fint *status) {
	MPI_Status s;
	MPI_Op o = MPI_Op_f2c(*op);
	MPI_Status_f2c(status, &s);
	if (s.MPI_TAG != 5 || MPI_Op_c2f(o) != *op || MPI_Type_c2f(MPI_INTEGER) != 7) MPI_Abort(MPI_COMM_WORLD, 2);
	MPI_Allreduce(in, out, 1, MPI_INTEGER, o, MPI_COMM_WORLD);
}
