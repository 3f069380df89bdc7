/* What only Open MPI's ABI has. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <unistd.h>
#include "converts_local.h"

/* A text begins as that of Open MPI's library does: programs look for its name and version. */
int PMPI_Get_library_version(char *version, int *resultlen) {
	char own[MPI_MAX_LIBRARY_VERSION_STRING];
	int code = made_Get_library_version(version ? own : NULL, resultlen);
	if (code) return code;
	int n = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "Open MPI v4.1.4, as %s has its ABI", own);
	*resultlen = n < MPI_MAX_LIBRARY_VERSION_STRING ? n : MPI_MAX_LIBRARY_VERSION_STRING - 1;
	return MPI_SUCCESS;
}

int PMPI_Error_string(int errorcode, char *string, int *resultlen) {
	if (!last_code || code_class(last_code) != errorcode || !string || !resultlen) return made_Error_string(errorcode, string, resultlen);
	INSIDE("MPI_Error_string");
	int code = sctpmpi_Error_string(last_code, string, MPI_MAX_ERROR_STRING, resultlen);
	return code ? failed(ON_NOTHING, 0, code, "MPI_Error_string") : MPI_SUCCESS;
}

/* Ends the process because it uses what is not there. */
__attribute__((noreturn, format(printf, 1, 2))) static void refuse(const char *why, ...) {
	va_list arguments;
	fflush(NULL);
	fprintf(stderr, "mpi: this program uses ");
	va_start(arguments, why);
	vfprintf(stderr, why, arguments);
	va_end(arguments);
	fprintf(stderr, ": build it with sctpmpi's mpicc or mpifort, or start it by Open MPI's own mpirun\n");
	_exit(1);
}

#define ATTRIBUTE_FUNCTIONS(name, type)                                                                                    \
	int OMPI_C_MPI_##name##NULL_COPY_FN(type object, int keyval, void *extra, void *in, void *out, int *flag) {            \
		(void)object, (void)keyval, (void)extra, (void)in, (void)out;                                                      \
		*flag = 0;                                                                                                         \
		return MPI_SUCCESS;                                                                                                \
	}                                                                                                                      \
	int OMPI_C_MPI_##name##DUP_FN(type object, int keyval, void *extra, void *in, void *out, int *flag) {                  \
		(void)object, (void)keyval, (void)extra;                                                                           \
		*(void **)out = in;                                                                                                \
		*flag = 1;                                                                                                         \
		return MPI_SUCCESS;                                                                                                \
	}                                                                                                                      \
	int OMPI_C_MPI_##name##NULL_DELETE_FN(type object, int keyval, void *value, void *extra) {                             \
		(void)object, (void)keyval, (void)value, (void)extra;                                                              \
		return MPI_SUCCESS;                                                                                                \
	}
ATTRIBUTE_FUNCTIONS(, MPI_Comm)
ATTRIBUTE_FUNCTIONS(COMM_, MPI_Comm)
ATTRIBUTE_FUNCTIONS(TYPE_, MPI_Datatype)
ATTRIBUTE_FUNCTIONS(WIN_, MPI_Win)

int MPIX_Query_cuda_support(void) { return 0; }
int MPIX_Query_rocm_support(void) { return 0; }

/* No hint means anything to a session. */
int PMPI_Session_set_info(MPI_Session session, MPI_Info info) {
	INSIDE("MPI_Session_set_info");
	uintptr_t used;
	int n, code = sctpmpi_Session_get_info(session_in(session), &used);
	if (!code) {
		(void)sctpmpi_Info_free(&used);
		code = sctpmpi_Info_get_nkeys(info_in(info), &n);
	}
	return code ? failed(ON_SESSION, session_in(session), code, "MPI_Session_set_info") : MPI_SUCCESS;
}
#pragma weak MPI_Session_set_info = PMPI_Session_set_info

/* Where the process is bound, as texts of at most 1024 bytes. */
int OMPI_Affinity_str(int format, char *bound, char *current, char *exists) {
	(void)format;
	for (char **text = (char *[]){bound, current, exists, NULL}; *text; text++) strcpy(*text, "not known");
	return MPI_SUCCESS;
}

/* Functions that only Open MPI's own libraries call, of which those for C++ may be there without being used. */
#define INTERNAL(name) \
	__attribute__((noreturn)) void name(void) { refuse("%s, a function of the inside of Open MPI", #name); }
#define EXTENSION(name)                                                                  \
	__typeof__(PMPI_##name) MPIX_##name __attribute__((weak, alias("PMPI_" #name)));       \
	__typeof__(PMPI_##name) PMPIX_##name __attribute__((alias("PMPI_" #name)));
#define OBJECT(name, size) char name[size] __attribute__((aligned(32)));
#define ADDRESS(name, object) void *name = object;
/* Fortran has functions by the names that are macros in C. */
#undef MPI_COMM_NULL_COPY_FN
#undef MPI_COMM_DUP_FN
#undef MPI_COMM_NULL_DELETE_FN
#undef MPI_TYPE_NULL_COPY_FN
#undef MPI_TYPE_DUP_FN
#undef MPI_TYPE_NULL_DELETE_FN
#undef MPI_WIN_NULL_COPY_FN
#undef MPI_WIN_DUP_FN
#undef MPI_WIN_NULL_DELETE_FN
#undef MPI_NULL_COPY_FN
#undef MPI_DUP_FN
#undef MPI_NULL_DELETE_FN
#undef MPI_CONVERSION_FN_NULL
#include "openmpi_names.h"

MPI_Fint *MPI_F_STATUS_IGNORE = (MPI_Fint *)mpi_fortran_status_ignore_;
MPI_Fint *MPI_F_STATUSES_IGNORE = (MPI_Fint *)mpi_fortran_statuses_ignore_;
static MPI_F08_status f08_status_ignore;
MPI_F08_status *MPI_F08_STATUS_IGNORE = &f08_status_ignore;
MPI_F08_status *MPI_F08_STATUSES_IGNORE = &f08_status_ignore;

#include "openmpi_fortran.h"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* arrays of a wrong length, which C finds */
#include "openmpi_fortran_functions.h"
#pragma GCC diagnostic pop
#include "openmpi_fortran_callbacks.h"
#include "openmpi_fortran_local.h"
