/* The main program of HPL: hpl N NB P Q, for P·Q ranks. Rank 0 prints a line of JSON: count, wall_s and cpu_s (of all ranks) of the whole, and
   time_s and gflops of the solution as HPL counts it, with its scaled residual. A residual above HPL's threshold is an error. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "hpl.h"

/* HPL of the HPC Challenge suite reads this file, and appends to that one. */
static const char input[] = "hpccinf.txt", output[] = "hpccoutf.txt";

/* What that suite does where there is no input. */
int HPCC_Defaults() { return 1; }

static void fail(const char *what) {
    fprintf(stderr, "hpl: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The lines of HPL.dat: one problem, the rest as in the example of the HPC Challenge suite. */
static void configure(char **problem) {
    FILE *f = fopen(input, "w");
    if (f == NULL)
        fail("no file can be made in the folder of temporary files");
    fprintf(f, "HPL\n\n%s\n8\n1\n%s N\n1\n%s NB\n0\n1\n%s P\n%s Q\n16.0\n", output, problem[0], problem[1], problem[2], problem[3]);
    fprintf(f, "1\n2\n1\n4\n1\n2\n1\n1\n1\n1\n1\n1\n2\n64\n0\n0\n1\n8\n");
    fclose(f);
}

static double processor(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv) {
    int rank, failed = 0;
    HPL_RuntimeData r = {0};
    char folder[] = "/tmp/hpl-XXXXXX";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 5)
        fail("its arguments are N NB P Q");
    if (rank == 0) {
        if (mkdtemp(folder) == NULL || chdir(folder) != 0)
            fail("no folder for temporary files");
        configure(argv + 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double wall = MPI_Wtime(), mine = processor(), all;
    r.Gflops = -1;
    HPL_main(argc, argv, &r, &failed);
    wall = MPI_Wtime() - wall;
    mine = processor() - mine;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        unlink(input);
        unlink(output);
        rmdir(folder);
        if (failed || r.N != atoi(argv[1]))
            fail("the residual is too large, or nothing has been solved");
        printf("{\"count\": 1, \"wall_s\": %g, \"cpu_s\": %g, \"time_s\": %g, \"gflops\": %g, \"residual\": %g}\n", wall, all, r.time, r.Gflops,
               r.RnormI / (r.eps * (r.AnormI * r.XnormI + r.BnormI) * r.N));
        fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
