/* What only MPICH's ABI has: names that MPI has removed, and what Debian's Fortran library needs. */

int PMPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent) {
	MPI_Aint lb;
	return PMPI_Type_get_extent(datatype, &lb, extent);
}
int PMPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement) {
	MPI_Aint extent;
	return PMPI_Type_get_extent(datatype, displacement, &extent);
}
int PMPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement) {
	MPI_Aint lb = 0, extent = 0;
	int code = PMPI_Type_get_extent(datatype, &lb, &extent);
	if (!code && displacement) *displacement = lb + extent;
	return code;
}

int MPIR_Dup_fn(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag) {
	(void)comm, (void)keyval, (void)extra;
	*(void **)out = in;
	*flag = 1;
	return MPI_SUCCESS;
}

static int unweighted, no_weights, all_handles;
int *const MPI_UNWEIGHTED = &unweighted;
int *const MPI_WEIGHTS_EMPTY = &no_weights;
struct MPIR_T_pvar_handle_s *const MPI_T_PVAR_ALL_HANDLES = (struct MPIR_T_pvar_handle_s *)&all_handles;

/* Fortran has variables of these addresses, which its library sets. */
MPI_Fint *MPI_F_STATUS_IGNORE;
MPI_Fint *MPI_F_STATUSES_IGNORE;
MPI_F08_status MPIR_F08_MPI_STATUS_IGNORE_OBJ;
MPI_F08_status MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
MPI_F08_status *MPI_F08_STATUS_IGNORE = &MPIR_F08_MPI_STATUS_IGNORE_OBJ;
MPI_F08_status *MPI_F08_STATUSES_IGNORE = &MPIR_F08_MPI_STATUSES_IGNORE_OBJ[0];
int MPIR_F08_MPI_IN_PLACE;
int MPIR_F08_MPI_BOTTOM;
int MPIR_C_MPI_UNWEIGHTED;
int MPIR_C_MPI_WEIGHTS_EMPTY;

#pragma weak MPI_File_c2f = PMPI_File_c2f
#pragma weak MPI_File_f2c = PMPI_File_f2c
MPI_Fint PMPI_File_c2f(MPI_File file) { return (MPI_Fint)(intptr_t)file; }
MPI_File PMPI_File_f2c(MPI_Fint file) { return (MPI_File)(intptr_t)file; }

/* A status of Fortran has the same integers. */
#pragma weak MPI_Status_c2f = PMPI_Status_c2f
#pragma weak MPI_Status_f2c = PMPI_Status_f2c
#pragma weak MPI_Status_c2f08 = PMPI_Status_c2f08
#pragma weak MPI_Status_f082c = PMPI_Status_f082c
#pragma weak MPI_Status_f2f08 = PMPI_Status_f2f08
#pragma weak MPI_Status_f082f = PMPI_Status_f082f
static int copy_status(const void *from, void *to, const char *function) {
	NEED(IS_STATUS(from) && to && from != MPI_F_STATUS_IGNORE && from != MPI_F08_STATUS_IGNORE, function);
	memcpy(to, from, sizeof(MPI_Status));
	return MPI_SUCCESS;
}
int PMPI_Status_c2f(const MPI_Status *from, MPI_Fint *to) { return copy_status(from, to, "MPI_Status_c2f"); }
int PMPI_Status_f2c(const MPI_Fint *from, MPI_Status *to) { return copy_status(from, to, "MPI_Status_f2c"); }
int PMPI_Status_c2f08(const MPI_Status *from, MPI_F08_status *to) { return copy_status(from, to, "MPI_Status_c2f08"); }
int PMPI_Status_f082c(const MPI_F08_status *from, MPI_Status *to) { return copy_status(from, to, "MPI_Status_f082c"); }
int PMPI_Status_f2f08(const MPI_Fint *from, MPI_F08_status *to) { return copy_status(from, to, "MPI_Status_f2f08"); }
int PMPI_Status_f082f(const MPI_F08_status *from, MPI_Fint *to) { return copy_status(from, to, "MPI_Status_f082f"); }
