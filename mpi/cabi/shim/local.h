/* Functions that need no library, for all ABIs. */

double PMPI_Wtime(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double PMPI_Wtick(void) { return 1e-9; }

int PMPI_Pcontrol(int level, ...) {
	(void)level;
	return MPI_SUCCESS;
}

/* Addresses wrap around, as signed integers of C may not. */
MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint disp) { return (MPI_Aint)((uintptr_t)base + (uintptr_t)disp); }
MPI_Aint PMPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) { return (MPI_Aint)((uintptr_t)addr1 - (uintptr_t)addr2); }

#ifndef HANDLE_AS_INT
#define HANDLE_AS_INT(name, type, argument)                                       \
	int PMPI_##name##_toint(type argument) { return (int)(intptr_t)argument; }    \
	type PMPI_##name##_fromint(int argument) { return (type)(intptr_t)argument; }
#endif
HANDLE_AS_INT(Comm, MPI_Comm, comm)
HANDLE_AS_INT(Errhandler, MPI_Errhandler, errhandler)
HANDLE_AS_INT(File, MPI_File, file)
HANDLE_AS_INT(Group, MPI_Group, group)
HANDLE_AS_INT(Info, MPI_Info, info)
HANDLE_AS_INT(Message, MPI_Message, message)
HANDLE_AS_INT(Op, MPI_Op, op)
HANDLE_AS_INT(Request, MPI_Request, request)
HANDLE_AS_INT(Session, MPI_Session, session)
HANDLE_AS_INT(Type, MPI_Datatype, datatype)
HANDLE_AS_INT(Win, MPI_Win, win)

/* A status is the program's: these read and write it where it is. */
#define NEED(condition, function) \
	if (!(condition)) return failed(ON_NOTHING, 0, SCTPMPI_ERR_ARG, function)
#define IS_STATUS(status) ((uintptr_t)(status) > 1)

/* The version of MPI that the ABI's header is of. */
int PMPI_Get_version(int *version, int *subversion) {
	NEED(version && subversion, "MPI_Get_version");
	*version = MPI_VERSION;
	*subversion = MPI_SUBVERSION;
	return MPI_SUCCESS;
}

int PMPI_Status_get_source(const MPI_Status *status, int *source) {
	NEED(IS_STATUS(status) && source, "MPI_Status_get_source");
	*source = status->MPI_SOURCE;
	return MPI_SUCCESS;
}
int PMPI_Status_get_tag(const MPI_Status *status, int *tag) {
	NEED(IS_STATUS(status) && tag, "MPI_Status_get_tag");
	*tag = status->MPI_TAG;
	return MPI_SUCCESS;
}
int PMPI_Status_get_error(const MPI_Status *status, int *error) {
	NEED(IS_STATUS(status) && error, "MPI_Status_get_error");
	*error = status->MPI_ERROR;
	return MPI_SUCCESS;
}
int PMPI_Status_set_source(MPI_Status *status, int source) {
	NEED(IS_STATUS(status), "MPI_Status_set_source");
	status->MPI_SOURCE = source;
	return MPI_SUCCESS;
}
int PMPI_Status_set_tag(MPI_Status *status, int tag) {
	NEED(IS_STATUS(status), "MPI_Status_set_tag");
	status->MPI_TAG = tag;
	return MPI_SUCCESS;
}
int PMPI_Status_set_error(MPI_Status *status, int error) {
	NEED(IS_STATUS(status), "MPI_Status_set_error");
	status->MPI_ERROR = error;
	return MPI_SUCCESS;
}
int PMPI_Status_set_cancelled(MPI_Status *status, int flag) {
	NEED(IS_STATUS(status), "MPI_Status_set_cancelled");
	set_cancelled(status, flag != 0);
	return MPI_SUCCESS;
}
int PMPI_Test_cancelled(const MPI_Status *status, int *flag) {
	NEED(IS_STATUS(status) && flag, "MPI_Test_cancelled");
	*flag = cancelled(status);
	return MPI_SUCCESS;
}
