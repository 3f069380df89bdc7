/* Ranks write two datasets of one file together, one of them compressed, and read what others have written. Then one reads all without MPI. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define OK(x)                                                            \
	do {                                                                 \
		if ((x) < 0) {                                                   \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x);      \
			MPI_Abort(MPI_COMM_WORLD, 1);                                \
		}                                                                \
	} while (0)

enum { ROWS = 64, COLUMNS = 96 };
static const char *const sets[] = {"rows", "chunks"};
static int rank, size;

/* Each rank writes every size-th column. */
static void write_set(hid_t file, int chunked, hid_t transfer) {
	hsize_t all[2] = {(hsize_t)ROWS * size, COLUMNS}, chunk[2] = {16, 32};
	hsize_t start[2] = {0, rank}, stride[2] = {1, size}, count[2] = {all[0], COLUMNS / size};
	hid_t made = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, all, NULL), memory = H5Screate_simple(2, count, NULL), set;
	OK(H5Pset_obj_track_times(made, 0)); /* the file is the same whenever it is written */
	if (chunked) {
		OK(H5Pset_chunk(made, 2, chunk));
		OK(H5Pset_deflate(made, 3));
	}
	OK(set = H5Dcreate2(file, sets[chunked], H5T_STD_I32LE, space, H5P_DEFAULT, made, H5P_DEFAULT));
	OK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL));
	int *x = malloc(count[0] * count[1] * sizeof *x);
	for (hsize_t i = 0; i < count[0]; i++)
		for (hsize_t j = 0; j < count[1]; j++) x[i * count[1] + j] = (int)(i * 1000 + j * size + rank);
	OK(H5Dwrite(set, H5T_NATIVE_INT, memory, space, transfer, x));
	free(x);
	OK(H5Sclose(memory));
	OK(H5Sclose(space));
	OK(H5Dclose(set));
	OK(H5Pclose(made));
}

/* wrong counts elements of some rows that are not as written. */
static long wrong(hid_t file, int chunked, hsize_t first, hsize_t rows, hid_t transfer) {
	hsize_t start[2] = {first, 0}, count[2] = {rows, COLUMNS};
	hid_t set, space, memory = H5Screate_simple(2, count, NULL);
	OK(set = H5Dopen2(file, sets[chunked], H5P_DEFAULT));
	OK(space = H5Dget_space(set));
	OK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL));
	int *x = calloc(rows * COLUMNS, sizeof *x);
	OK(H5Dread(set, H5T_NATIVE_INT, memory, space, transfer, x));
	long n = 0;
	for (hsize_t i = 0; i < rows; i++)
		for (hsize_t j = 0; j < COLUMNS; j++) n += x[i * COLUMNS + j] != (int)((first + i) * 1000 + j);
	free(x);
	OK(H5Sclose(memory));
	OK(H5Sclose(space));
	OK(H5Dclose(set));
	return n;
}

int main(int argc, char **argv) {
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER), file;
	OK(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
	OK(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE));
	OK(file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access));
	for (int chunked = 0; chunked < 2; chunked++) write_set(file, chunked, transfer);
	OK(H5Fclose(file));
	long n = 0;
	OK(file = H5Fopen(argv[1], H5F_ACC_RDONLY, access));
	for (int chunked = 0; chunked < 2; chunked++) n += wrong(file, chunked, (hsize_t)ROWS * ((rank + 1) % size), ROWS, transfer);
	OK(H5Fclose(file));
	if (rank == 0) {
		OK(file = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT));
		for (int chunked = 0; chunked < 2; chunked++) n += wrong(file, chunked, 0, (hsize_t)ROWS * size, H5P_DEFAULT);
		OK(H5Fclose(file));
	}
	MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0) puts(n ? "wrong elements" : "no errors");
	OK(H5Pclose(access));
	OK(H5Pclose(transfer));
	MPI_Finalize();
	return n != 0;
}
