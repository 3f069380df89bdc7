/* What only MPICH's ABI has, most of it for Debian's Fortran library. */
#include "converts_local.h"

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
