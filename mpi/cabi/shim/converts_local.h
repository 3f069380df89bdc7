/* What the shims of other ABIs than the standard's have in common: names that MPI has removed, and functions that give constants. */

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

/* The program has not been compiled for the standard ABI. */
int PMPI_Abi_get_version(int *abi_major, int *abi_minor) {
	NEED(abi_major && abi_minor, "MPI_Abi_get_version");
	*abi_major = -1;
	*abi_minor = -1;
	return MPI_SUCCESS;
}

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

/* attribute_out replaces the address of a constant by that of the ABI's. */
static void attribute_out(int keyval, void *value, const int *flag) {
	static const int small[] = {0, 1, 2, 3, 4};
	static int host, io, last;
	int **v = value;
	if (!flag || !*flag || !v) return;
	switch (keyval) {
	case MPI_HOST: host = rank_out(**v), *v = &host; break;
	case MPI_IO: io = rank_out(**v), *v = &io; break;
	case MPI_LASTUSEDCODE: last = code_out(**v), *v = &last; break;
	case MPI_WIN_CREATE_FLAVOR: *v = (int *)&small[flavor_out(**v) % 5]; break;
	case MPI_WIN_MODEL: *v = (int *)&small[model_out(**v) % 5]; break;
	}
}
int PMPI_Comm_get_attr(MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag) {
	int code = made_Comm_get_attr(comm, comm_keyval, attribute_val, flag);
	if (!code) attribute_out(comm_keyval, attribute_val, flag);
	return code;
}
int PMPI_Attr_get(MPI_Comm comm, int keyval, void *attribute_val, int *flag) { return PMPI_Comm_get_attr(comm, keyval, attribute_val, flag); }
int PMPI_Win_get_attr(MPI_Win win, int win_keyval, void *attribute_val, int *flag) {
	int code = made_Win_get_attr(win, win_keyval, attribute_val, flag);
	if (!code) attribute_out(win_keyval, attribute_val, flag);
	return code;
}

/* Among the integers of an array's type there are constants: at the end the order, and before it, for darray, how each dimension is
   distributed, by which blocks, and among how many processes. */
static void integers_out(MPI_Datatype datatype, int *v) {
	MPI_Count n, addresses, counts, types;
	int combiner;
	if (PMPI_Type_get_envelope_c(datatype, &n, &addresses, &counts, &types, &combiner)) return;
	if (combiner != MPI_COMBINER_SUBARRAY && combiner != MPI_COMBINER_DARRAY) return;
	v[n - 1] = order_out(v[n - 1]);
	if (combiner == MPI_COMBINER_SUBARRAY) return;
	int dims = v[2], *distributions = &v[n - 1 - 3 * dims], *blocks = distributions + dims;
	for (int i = 0; i < dims; i++) {
		distributions[i] = distribution_out(distributions[i]);
		blocks[i] = distribution_argument_out(blocks[i]);
	}
}
int PMPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes, int array_of_integers[],
	MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[]) {
	int code = made_Type_get_contents(datatype, max_integers, max_addresses, max_datatypes, array_of_integers, array_of_addresses, array_of_datatypes);
	if (!code) integers_out(datatype, array_of_integers);
	return code;
}
int PMPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count max_large_counts,
	MPI_Count max_datatypes, int array_of_integers[], MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
	MPI_Datatype array_of_datatypes[]) {
	int code = made_Type_get_contents_c(datatype, max_integers, max_addresses, max_large_counts, max_datatypes, array_of_integers,
		array_of_addresses, array_of_large_counts, array_of_datatypes);
	if (!code) integers_out(datatype, array_of_integers);
	return code;
}
