/* What a program has in it that Open MPI 5.0 has compiled: its numbers and the sizes of its objects, by hand, as no mpi.h of it is needed. What
   the program uses is what 5.0 has and 4.1 has not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char ompi_mpi_comm_world[512], ompi_mpi_comm_null[512], ompi_mpi_comm_self[512], ompi_mpi_int[512], ompi_mpi_double[512], ompi_mpi_byte[512];
extern char ompi_mpi_short_float[512], ompi_mpi_c_short_float_complex[512], ompi_mpi_real2[512], ompi_mpi_complex4[512], ompi_mpi_instance_null[512];
extern char ompi_mpi_op_sum[2048], ompi_mpi_op_max[2048], ompi_mpi_info_null[256], ompi_request_null[256], ompi_mpi_group_empty[256];
extern char ompi_mpi_errors_return[1024], ompi_mpi_errors_abort[1024];
extern int *MPI_F08_STATUS_IGNORE;

typedef struct {
	int source, tag, error, cancelled;
	size_t count;
} status;
typedef struct {
	int source, tag, error, inside[3];
} f08_status;

enum { ERR_PROC_ABORTED = 74, ERR_REVOKED = 77, ERR_SESSION = 78, ERR_VALUE_TOO_LARGE = 79, LASTCODE = 92, ANY_TAG = -1, FT = 12, HW_UNGUIDED = 12, UNDEFINED = -32766 };

int MPI_Init(int *, char ***), MPI_Finalize(void), MPI_Abort(void *, int), MPI_Comm_rank(void *, int *), MPI_Comm_size(void *, int *), MPI_Comm_free(void **);
int MPI_Session_init(void *, void *, void **), MPI_Session_finalize(void **), MPI_Session_set_info(void *, void *), MPI_Session_get_info(void *, void **);
int MPI_Session_get_num_psets(void *, void *, int *), MPI_Session_get_nth_pset(void *, void *, int, int *, char *);
int MPI_Group_from_session_pset(void *, const char *, void **), MPI_Comm_create_from_group(void *, const char *, void *, void *, void **);
int MPI_Group_free(void **), MPI_Info_create(void **), MPI_Info_set(void *, const char *, const char *), MPI_Info_free(void **);
int MPI_Info_get_string(void *, const char *, int *, char *, int *), MPI_Session_c2f(void *);
int MPI_Psend_init(const void *, int, long long, void *, int, int, void *, void *, void **), MPI_Precv_init(void *, int, long long, void *, int, int, void *, void *, void **);
int MPI_Pready(int, void *), MPI_Parrived(void *, int, int *), MPI_Start(void **), MPI_Wait(void **, status *), MPI_Waitall(int, void **, status *);
int MPI_Request_free(void **), MPI_Isendrecv(const void *, int, void *, int, int, void *, int, void *, int, int, void *, void **);
int MPI_Allreduce_init(const void *, void *, int, void *, void *, void *, void *, void **), MPI_Allreduce(const void *, void *, int, void *, void *, void *);
int MPI_Type_size(void *, int *), MPI_Comm_set_errhandler(void *, void *), MPI_Comm_get_errhandler(void *, void **), MPI_Error_class(int, int *);
int MPI_Comm_get_attr(void *, int, void *, int *), MPI_Comm_split_type(void *, int, int, void *, void **), MPIX_Query_rocm_support(void);
int MPI_Get_count(const status *, void *, int *), MPI_Status_c2f08(const status *, f08_status *), MPI_Status_f082c(const f08_status *, status *);
int MPI_Status_f082f(const f08_status *, int *), MPI_Status_f2f08(const int *, f08_status *), MPI_Error_string(int, char *, int *);
void mpi_status_f2f08_(int *, f08_status *, int *), mpi_status_f082f_(f08_status *, int *, int *), ompi_status_f2f08_f(int *, f08_status *, int *);
int MPIX_Comm_get_failed(void *, void **), MPI_Group_size(void *, int *);

static int rank, size;

#define CHECK(condition)                                                                                 \
	do {                                                                                                 \
		if (!(condition)) {                                                                              \
			fprintf(stderr, "%s:%d: rank %d: %s is not so\n", __FILE__, __LINE__, rank, #condition);     \
			MPI_Abort(ompi_mpi_comm_world, 99);                                                          \
		}                                                                                                \
	} while (0)
#define OK(call) CHECK((call) == 0)

static void sessions(void) {
	void *session, *stale, *group, *comm, *info, *freed, *used;
	int n, length = 0, flag;
	char name[512];
	OK(MPI_Session_init(ompi_mpi_info_null, ompi_mpi_errors_return, &session));
	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "thread_level", "MPI_THREAD_SINGLE"));
	OK(MPI_Session_set_info(session, info));
	CHECK(MPI_Session_set_info(session, ompi_mpi_info_null) == 34); /* MPI_ERR_INFO */
	CHECK(MPI_Session_set_info(ompi_mpi_instance_null, info) == ERR_SESSION && MPI_Session_set_info(info, info) == ERR_SESSION);
	freed = info;
	OK(MPI_Info_free(&info));
	CHECK(MPI_Session_set_info(session, freed) == 34);
	OK(MPI_Session_get_info(session, &used));
	length = sizeof name;
	OK(MPI_Info_get_string(used, "thread_level", &length, name, &flag));
	CHECK(flag && !strcmp(name, "MPI_THREAD_MULTIPLE"));
	OK(MPI_Info_free(&used));
	OK(MPI_Session_get_num_psets(session, ompi_mpi_info_null, &n));
	length = sizeof name;
	OK(MPI_Session_get_nth_pset(session, ompi_mpi_info_null, 0, &length, name));
	CHECK(n >= 2 && !strcmp(name, "mpi://WORLD"));
	OK(MPI_Group_from_session_pset(session, name, &group));
	OK(MPI_Comm_create_from_group(group, "five", ompi_mpi_info_null, ompi_mpi_errors_abort, &comm));
	OK(MPI_Comm_rank(comm, &rank));
	OK(MPI_Comm_size(comm, &size));
	OK(MPI_Comm_free(&comm));
	CHECK(comm == (void *)ompi_mpi_comm_null);
	OK(MPI_Group_free(&group));
	stale = session;
	OK(MPI_Session_finalize(&session));
	CHECK(session == (void *)ompi_mpi_instance_null && MPI_Session_get_info(stale, &used) == ERR_SESSION);
}

static void partitions(void) {
	double out[8] = {0}, in[8] = {0};
	void *r[2];
	int next = (rank + 1) % size, before = (rank + size - 1) % size, flag;
	OK(MPI_Psend_init(out, 4, 2, ompi_mpi_double, next, 3, ompi_mpi_comm_world, ompi_mpi_info_null, &r[0]));
	OK(MPI_Precv_init(in, 4, 2, ompi_mpi_double, before, 3, ompi_mpi_comm_world, ompi_mpi_info_null, &r[1]));
	OK(MPI_Start(&r[0]));
	OK(MPI_Start(&r[1]));
	for (int i = 0; i < 4; i++) {
		out[2 * i] = rank, out[2 * i + 1] = i;
		OK(MPI_Pready(i, r[0]));
	}
	OK(MPI_Waitall(2, r, NULL));
	OK(MPI_Parrived(r[1], 3, &flag));
	CHECK(flag && in[6] == before && in[7] == 3);
	OK(MPI_Request_free(&r[0]));
	OK(MPI_Request_free(&r[1]));
	CHECK(r[0] == (void *)ompi_request_null);
}

static void collectives(void) {
	int one = 1, sum = 0;
	void *r;
	OK(MPI_Allreduce_init(&one, &sum, 1, ompi_mpi_int, ompi_mpi_op_sum, ompi_mpi_comm_world, ompi_mpi_info_null, &r));
	OK(MPI_Start(&r));
	OK(MPI_Wait(&r, NULL));
	CHECK(sum == size);
	OK(MPI_Request_free(&r));
}

/* 1.0 has the bits 0x3c00; 3 has 0x4200. */
static void half(void) {
	unsigned short a[2] = {0x3c00, 0x4200}, most[2], both[2];
	int n;
	OK(MPI_Type_size(ompi_mpi_short_float, &n));
	CHECK(n == 2);
	OK(MPI_Type_size(ompi_mpi_c_short_float_complex, &n));
	CHECK(n == 4);
	OK(MPI_Allreduce(a, most, 2, ompi_mpi_short_float, ompi_mpi_op_max, ompi_mpi_comm_world));
	CHECK(most[0] == 0x3c00 && most[1] == 0x4200);
	OK(MPI_Allreduce(a, most, 2, ompi_mpi_real2, ompi_mpi_op_max, ompi_mpi_comm_world));
	OK(MPI_Allreduce(a, both, 1, ompi_mpi_c_short_float_complex, ompi_mpi_op_sum, ompi_mpi_comm_self));
	CHECK(both[0] == 0x3c00 && both[1] == 0x4200);
}

static void statuses(void) {
	int out = rank, in = -1, count, f[6], ierror = -1;
	status s = {0}, again;
	f08_status f08, other;
	void *r;
	OK(MPI_Isendrecv(&out, 1, ompi_mpi_int, (rank + 1) % size, 5, &in, 1, ompi_mpi_int, (rank + size - 1) % size, ANY_TAG, ompi_mpi_comm_world, &r));
	OK(MPI_Wait(&r, &s));
	CHECK(in == (rank + size - 1) % size);
	OK(MPI_Status_c2f08(&s, &f08));
	OK(MPI_Status_f082f(&f08, f));
	mpi_status_f2f08_(f, &other, &ierror);
	CHECK(!ierror && !memcmp(&f08, &other, sizeof f08));
	ierror = -1;
	mpi_status_f082f_(&other, f, &ierror);
	OK(ierror);
	ompi_status_f2f08_f(f, &f08, &ierror); /* what the module mpi_f08 calls */
	OK(MPI_Status_f082c(&f08, &again));
	OK(MPI_Get_count(&again, ompi_mpi_int, &count));
	CHECK(count == 1 && again.tag == s.tag && again.source == s.source && MPI_F08_STATUS_IGNORE);
}

static void numbers(void) {
	int *ft = NULL, flag = 0, class, n, length;
	char text[256];
	void *comm, *failed, *handler;
	OK(MPI_Comm_get_attr(ompi_mpi_comm_world, FT, &ft, &flag));
	CHECK(flag && *ft == 1);
	OK(MPIX_Comm_get_failed(ompi_mpi_comm_world, &failed));
	OK(MPI_Group_size(failed, &n));
	CHECK(n == 0);
	OK(MPI_Group_free(&failed));
	for (int c = ERR_PROC_ABORTED; c <= ERR_VALUE_TOO_LARGE; c++) {
		OK(MPI_Error_class(c, &class));
		OK(MPI_Error_string(c, text, &length));
		CHECK(class == c && length > 0);
	}
	OK(MPI_Comm_split_type(ompi_mpi_comm_world, HW_UNGUIDED, rank, ompi_mpi_info_null, &comm));
	if (comm != (void *)ompi_mpi_comm_null) OK(MPI_Comm_free(&comm));
	OK(MPI_Comm_set_errhandler(ompi_mpi_comm_self, ompi_mpi_errors_abort));
	OK(MPI_Comm_get_errhandler(ompi_mpi_comm_self, &handler));
	CHECK(handler == (void *)ompi_mpi_errors_abort && MPIX_Query_rocm_support() == 0);
}

int main(int argc, char **argv) {
	OK(MPI_Init(&argc, &argv));
	OK(MPI_Comm_set_errhandler(ompi_mpi_comm_world, ompi_mpi_errors_return));
	OK(MPI_Comm_set_errhandler(ompi_mpi_comm_self, ompi_mpi_errors_return)); /* of functions without a communicator */
	sessions();
	partitions();
	collectives();
	half();
	statuses();
	numbers();
	OK(MPI_Finalize());
	if (rank == 0) puts("no errors");
	return 0;
}
