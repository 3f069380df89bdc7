/* Handles and statuses on their way to Fortran and back, and what a library for Fortran tells MPI of its compiler. */
#include "check.h"

#define SAME(name, type, handle)                                     \
	do {                                                             \
		type there = (handle);                                       \
		MPI_Fint f = MPI_##name##_c2f(there);                        \
		CHECK(MPI_##name##_f2c(f) == there);                         \
		CHECK(PMPI_##name##_f2c(PMPI_##name##_c2f(there)) == there); \
	} while (0)

#ifndef MPI_ERR_ABI
#define MPI_ERR_ABI MPI_ERR_OTHER /* MPICH's ABI has no class for it */
#endif

static int number(MPI_Info info, const char *key) {
	char value[20] = "-1";
	int flag, length = sizeof value;
	OK(MPI_Info_get_string(info, key, &length, value, &flag));
	return atoi(value);
}

static void told(void) {
	MPI_Info info, told;
	int yes = 1, no = 0, other = -1, set = 9;
	OK(MPI_Abi_get_info(&info));
	CHECK(number(info, "mpi_aint_size") == sizeof(MPI_Aint) && number(info, "mpi_offset_size") == sizeof(MPI_Offset));
	CHECK(number(info, "mpi_count_size") == sizeof(MPI_Count));
	OK(MPI_Info_free(&info));
	OK(MPI_Get_hw_resource_info(&info));
	OK(MPI_Info_free(&info));

	OK(MPI_Abi_get_fortran_info(&told));
	CHECK(told == MPI_INFO_NULL);
	FAILS(MPI_ERR_INFO, MPI_Abi_set_fortran_info(MPI_INFO_NULL));
	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "mpi_integer_size", "8"));
	FAILS(MPI_ERR_ABI, MPI_Abi_set_fortran_info(info));
	OK(MPI_Info_set(info, "mpi_integer_size", "4"));
	OK(MPI_Info_set(info, "mpi_real2_supported", "false"));
	OK(MPI_Abi_set_fortran_info(info));
	FAILS(MPI_ERR_ABI, MPI_Abi_set_fortran_info(info));
	OK(MPI_Info_free(&info));
	OK(MPI_Abi_get_fortran_info(&told));
	CHECK(number(told, "mpi_integer_size") == 4);
	OK(MPI_Info_free(&told));

	OK(MPI_Abi_get_fortran_booleans(sizeof yes, &yes, &no, &set));
	CHECK(!set && yes == 1 && no == 0);
	FAILS(MPI_ERR_ABI, MPI_Abi_set_fortran_booleans(1, &yes, &no));
	FAILS(MPI_ERR_ABI, MPI_Abi_set_fortran_booleans(sizeof yes, &other, &no));
	FAILS(MPI_ERR_ARG, MPI_Abi_set_fortran_booleans(sizeof yes, NULL, &no));
	OK(MPI_Abi_set_fortran_booleans(sizeof yes, &yes, &no));
	FAILS(MPI_ERR_ABI, MPI_Abi_set_fortran_booleans(sizeof yes, &yes, &no));
	yes = no = other;
	OK(MPI_Abi_get_fortran_booleans(sizeof yes, &yes, &no, &set));
	CHECK(set && yes == 1 && no == 0);
	FAILS(MPI_ERR_ARG, MPI_Abi_get_fortran_booleans(8, &yes, &no, &set));
}

int main(int argc, char **argv) {
	MPI_Comm comm;
	MPI_Group group;
	MPI_Datatype type;
	MPI_Info info;
	MPI_Request request;
	MPI_Win win;
	MPI_Status status, back;
	MPI_Fint f[MPI_F_STATUS_SIZE];
	MPI_F08_status f08, again;
	int number = 7, got = 0, count, result;
	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	told();
	SAME(Comm, MPI_Comm, MPI_COMM_WORLD);
	SAME(Comm, MPI_Comm, MPI_COMM_NULL);
	SAME(Type, MPI_Datatype, MPI_DOUBLE);
	SAME(Op, MPI_Op, MPI_SUM);
	SAME(Group, MPI_Group, MPI_GROUP_EMPTY);
	SAME(Errhandler, MPI_Errhandler, MPI_ERRORS_RETURN);
	SAME(File, MPI_File, MPI_FILE_NULL);
	SAME(Message, MPI_Message, MPI_MESSAGE_NO_PROC);
	SAME(Session, MPI_Session, MPI_SESSION_NULL);
	OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
	OK(MPI_Comm_group(comm, &group));
	OK(MPI_Type_contiguous(3, MPI_INT, &type));
	OK(MPI_Info_create(&info));
	OK(MPI_Win_create(&got, sizeof got, 1, MPI_INFO_NULL, comm, &win));
	OK(MPI_Irecv(&got, 1, MPI_INT, rank, 5, MPI_Comm_f2c(MPI_Comm_c2f(comm)), &request));
	SAME(Comm, MPI_Comm, comm);
	SAME(Group, MPI_Group, group);
	SAME(Type, MPI_Datatype, type);
	SAME(Info, MPI_Info, info);
	SAME(Win, MPI_Win, win);
	SAME(Request, MPI_Request, request);
	OK(MPI_Comm_compare(MPI_Comm_f2c(MPI_Comm_c2f(comm)), comm, &result));
	CHECK(result == MPI_IDENT);
	OK(MPI_Send(&number, 1, MPI_Type_f2c(MPI_Type_c2f(MPI_INT)), rank, 5, comm));
	OK(MPI_Wait(&request, &status));
	CHECK(got == 7);
	OK(MPI_Status_c2f(&status, f));
	OK(MPI_Status_f2c(f, &back));
	OK(MPI_Get_count(&back, MPI_INT, &count));
	CHECK(back.MPI_SOURCE == rank && back.MPI_TAG == 5 && count == 1);
	OK(MPI_Status_c2f08(&status, &f08));
	CHECK(f08.MPI_SOURCE == rank && f08.MPI_TAG == 5);
	OK(MPI_Status_f082f(&f08, f));
	OK(MPI_Status_f2f08(f, &again));
	OK(PMPI_Status_f082c(&again, &back));
	OK(MPI_Get_count(&back, MPI_INT, &count));
	CHECK(back.MPI_SOURCE == rank && back.MPI_TAG == 5 && count == 1);
	OK(MPI_Win_free(&win));
	OK(MPI_Info_free(&info));
	OK(MPI_Type_free(&type));
	OK(MPI_Group_free(&group));
	OK(MPI_Comm_free(&comm));
	end();
	return 0;
}
