/* One-sided operations. */
#include "check.h"

enum { LENGTH = 20, DISP = 10 };

/* Target types with entries before the address, as long as these are in the window. */
static void before_the_address(void) {
	MPI_Datatype types[5];
	int at[5][2] = {{0, -3}, {3, 0}, {0, 2}, {-2, 1}, {0, -2}}; /* the elements that each names */
	int count[5] = {1, 1, 2, 1, 2};
	OK(MPI_Type_vector(2, 1, -3, MPI_INT, &types[0]));
	OK(MPI_Type_create_indexed_block(2, 1, (int[]){3, 0}, MPI_INT, &types[1]));
	OK(MPI_Type_create_resized(MPI_INT, -8, 8, &types[2]));
	OK(MPI_Type_create_indexed_block(2, 1, (int[]){-2, 1}, MPI_INT, &types[3]));
	OK(MPI_Type_create_resized(MPI_INT, 0, -8, &types[4]));
	int *memory, other = (rank + 1) % size;
	MPI_Win win;
	OK(MPI_Win_allocate(LENGTH * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	for (int t = 0; t < 5; t++) {
		int data[2] = {7, 9}, old[2] = {0}, got[2] = {0}, all[LENGTH], zero[LENGTH] = {0};
		MPI_Request request;
		OK(MPI_Type_commit(&types[t]));
		OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, win));
		OK(MPI_Put(zero, LENGTH, MPI_INT, other, 0, LENGTH, MPI_INT, win));
		OK(MPI_Win_flush(other, win));
		OK(MPI_Put(data, 2, MPI_INT, other, DISP, count[t], types[t], win));
		OK(MPI_Win_flush(other, win));
		OK(MPI_Accumulate(data, 2, MPI_INT, other, DISP, count[t], types[t], MPI_SUM, win));
		OK(MPI_Get_accumulate(data, 2, MPI_INT, old, 2, MPI_INT, other, DISP, count[t], types[t], MPI_SUM, win));
		OK(MPI_Win_flush(other, win));
		CHECK(old[0] == 14 && old[1] == 18);
		OK(MPI_Get(got, 2, MPI_INT, other, DISP, count[t], types[t], win));
		OK(MPI_Win_flush(other, win));
		CHECK(got[0] == 21 && got[1] == 27);
		OK(MPI_Rput(data, 2, MPI_INT, other, DISP, count[t], types[t], win, &request));
		OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
		OK(MPI_Win_flush(other, win));
		OK(MPI_Raccumulate(data, 2, MPI_INT, other, DISP, count[t], types[t], MPI_SUM, win, &request));
		OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
		OK(MPI_Rget_accumulate(data, 2, MPI_INT, old, 2, MPI_INT, other, DISP, count[t], types[t], MPI_SUM, win, &request));
		OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
		CHECK(old[0] == 14 && old[1] == 18);
		OK(MPI_Rget(got, 2, MPI_INT, other, DISP, count[t], types[t], win, &request));
		OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
		CHECK(got[0] == 21 && got[1] == 27);
		OK(MPI_Get(all, LENGTH, MPI_INT, other, 0, LENGTH, MPI_INT, win));
		OK(MPI_Win_unlock(other, win));
		for (int i = 0; i < LENGTH; i++)
			CHECK(all[i] == (i == DISP + at[t][0] ? 21 : i == DISP + at[t][1] ? 27 : 0));
		if (at[t][0] < 0 || at[t][1] < 0) { /* before the window */
			OK(MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win));
			OK(MPI_Put(data, 2, MPI_INT, other, 1, count[t], types[t], win));
			FAILS(MPI_ERR_RMA_RANGE, MPI_Win_unlock(other, win));
		}
		OK(MPI_Type_free(&types[t]));
	}
	OK(MPI_Win_free(&win));
}

/* Memory of no bytes can be attached, and has to be taken away. */
static void no_memory(void) {
	MPI_Win win;
	char memory[8];
	OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	OK(MPI_Win_attach(win, memory, 0));
	OK(MPI_Win_attach(win, NULL, 0));
	OK(MPI_Win_attach(win, memory, sizeof memory));
	OK(MPI_Win_detach(win, memory));
	OK(MPI_Win_detach(win, memory));
	OK(MPI_Win_detach(win, NULL));
	FAILS(MPI_ERR_RMA_ATTACH, MPI_Win_detach(win, memory));
	FAILS(MPI_ERR_RMA_ATTACH, MPI_Win_detach(win, NULL));
	OK(MPI_Win_free(&win));
	OK(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	FAILS(MPI_ERR_WIN, MPI_Win_attach(win, memory, 0));
	OK(MPI_Win_free(&win));
}

/* In shared memory a rank without any begins where the one before it ends. */
static void shared_memory(void) {
	for (int with = 0; with < size; with++) {
		MPI_Win win;
		MPI_Aint bytes = rank == with ? 16 : 0, n;
		char *mine, *base, *end = NULL, *attribute;
		int unit, flag;
		OK(MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win));
		for (int r = 0; r < size; r++) {
			OK(MPI_Win_shared_query(win, r, &n, &unit, &base));
			CHECK(n == (r == with ? 16 : 0) && base != NULL && (end == NULL || base == end));
			CHECK(r != rank || base == mine);
			end = base + n;
		}
		OK(MPI_Win_get_attr(win, MPI_WIN_BASE, &attribute, &flag));
		CHECK(flag && attribute == mine);
		OK(MPI_Win_free(&win));
	}
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	before_the_address();
	no_memory();
	shared_memory();
	end();
	return 0;
}
