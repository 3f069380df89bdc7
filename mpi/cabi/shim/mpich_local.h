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

/* The program has not been compiled for the standard ABI. */
int PMPI_Abi_get_version(int *abi_major, int *abi_minor) {
	NEED(abi_major && abi_minor, "MPI_Abi_get_version");
	*abi_major = -1;
	*abi_minor = -1;
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

/* Debian's library for Fortran has these too, and a program those of the one that is loaded first. So they are set at run time. */
int *MPIR_C_MPI_UNWEIGHTED;
int *MPIR_C_MPI_WEIGHTS_EMPTY;
__attribute__((constructor)) static void set_weights(void) {
	MPIR_C_MPI_UNWEIGHTED = MPI_UNWEIGHTED;
	MPIR_C_MPI_WEIGHTS_EMPTY = MPI_WEIGHTS_EMPTY;
}

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

/* Generalized requests of Fortran: the functions of the one that this thread has started last. */
static _Thread_local void *started[3];
int PMPI_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn, MPI_Grequest_cancel_function *cancel_fn,
	void *extra_state, MPI_Request *request) {
	started[0] = FUNCTION(query_fn);
	started[1] = FUNCTION(free_fn);
	started[2] = FUNCTION(cancel_fn);
	return made_Grequest_start(query_fn, free_fn, cancel_fn, extra_state, request);
}
void MPII_Grequest_set_lang_f77(MPI_Request request) {
	(void)request;
	for (int i = 0; i < 3; i++)
		if (started[i] && !is_fortran(started[i])) note(fortran.functions, (struct known){.key = (uintptr_t)started[i]});
}

void MPII_Keyval_set_proxy(int keyval, copy_proxy *copy, delete_proxy *delete) {
	forget(fortran.keyvals, (uintptr_t)(unsigned)keyval);
	note(fortran.keyvals, (struct known){.key = (uintptr_t)(unsigned)keyval, .copy = copy, .delete = delete});
}

/* attribute_out replaces the address of a constant by that of MPICH's. */
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

/* Attributes as Fortran sees them. Predefined keyvals of Fortran follow those of C by one. kind is 0 for a pointer of C. */
#define OF_FORTRAN(keyval) (((keyval) & 0xfc000001) == 0x64000000)
static void *number_at(int keyval, void *value) {
	switch (keyval) {
	case MPI_WIN_BASE: return value;
	case MPI_WIN_SIZE: return (void *)*(MPI_Aint *)value;
	}
	return (void *)(intptr_t) * (int *)value;
}
#define FORTRAN_ATTRIBUTES(name, type)                                                                                  \
	int MPII_##name##_set_attr(type h, int keyval, void *value, int kind) {                                                   \
		if (kind) value = note(fortran.cells, (struct known){.number = (intptr_t)value});                                       \
		return PMPI_##name##_set_attr(h, keyval, value);                                                                        \
	}                                                                                                                       \
	int MPII_##name##_get_attr(type h, int keyval, void *value, int *flag, int kind) {                                        \
		int predefined = OF_FORTRAN(keyval);                                                                                    \
		void *v = NULL;                                                                                                         \
		int code = PMPI_##name##_get_attr(h, keyval - predefined, &v, flag);                                                    \
		if (!code && *flag) *(void **)value = predefined ? number_at(keyval - 1, v) : kind ? number_of(v) : v;                  \
		return code;                                                                                                            \
	}
FORTRAN_ATTRIBUTES(Comm, MPI_Comm)
FORTRAN_ATTRIBUTES(Type, MPI_Datatype)
FORTRAN_ATTRIBUTES(Win, MPI_Win)

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

/* MPICH's own functions that Debian's Fortran library asks for. */
#pragma weak MPIX_Delete_error_class = PMPIX_Delete_error_class
#pragma weak MPIX_Delete_error_code = PMPIX_Delete_error_code
#pragma weak MPIX_Delete_error_string = PMPIX_Delete_error_string
int PMPIX_Delete_error_class(int errorclass) { return PMPI_Remove_error_class(errorclass); }
int PMPIX_Delete_error_code(int errorcode) { return PMPI_Remove_error_code(errorcode); }
int PMPIX_Delete_error_string(int errorcode) { return PMPI_Remove_error_string(errorcode); }

#pragma weak MPIX_GPU_query_support = PMPIX_GPU_query_support
#pragma weak MPIX_Query_cuda_support = PMPIX_Query_cuda_support
#pragma weak MPIX_Query_hip_support = PMPIX_Query_hip_support
#pragma weak MPIX_Query_ze_support = PMPIX_Query_ze_support
int PMPIX_GPU_query_support(int gpu, int *is_supported) {
	(void)gpu;
	NEED(is_supported, "MPIX_GPU_query_support");
	*is_supported = 0;
	return MPI_SUCCESS;
}
int PMPIX_Query_cuda_support(void) { return 0; }
int PMPIX_Query_hip_support(void) { return 0; }
int PMPIX_Query_ze_support(void) { return 0; }
