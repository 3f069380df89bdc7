/* A worker of the example mandelbrot, in C. The manager, rank 0, is the program in Go in the folder above. */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

enum { WIDTH, HEIGHT, LIMIT, SIZES };
enum { LEFT, TOP, STEP, REGION };

/* How often the point (a, b) is moved by z -> z^2+c until it is far away, limit at most. */
static int64_t escapes(double a, double b, int64_t limit) {
	int64_t n = 0;
	for (double x = 0, y = 0; n < limit && x * x + y * y <= 4; n++) {
		double next = x * x - y * y + a;
		y = 2 * x * y + b;
		x = next;
	}
	return n;
}

int main(int argc, char **argv) {
	int64_t size[SIZES], row, moves = 0;
	double region[REGION];
	MPI_Init(&argc, &argv);
	MPI_Bcast(size, SIZES, MPI_INT64_T, 0, MPI_COMM_WORLD);
	MPI_Bcast(region, REGION, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	int64_t *counts = malloc(size[WIDTH] * sizeof *counts);
	for (;;) {
		MPI_Recv(&row, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (row < 0) break;
		for (int64_t i = 0; i < size[WIDTH]; i++) {
			counts[i] = escapes(region[LEFT] + i * region[STEP], region[TOP] + row * region[STEP], size[LIMIT]);
			moves += counts[i];
		}
		MPI_Send(counts, size[WIDTH], MPI_INT64_T, 0, 0, MPI_COMM_WORLD);
	}
	free(counts);
	MPI_Reduce(&moves, NULL, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
