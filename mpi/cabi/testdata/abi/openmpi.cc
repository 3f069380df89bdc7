/* The bindings for C++ that MPI has removed: those of Open MPI are a library of its own. */
#include <mpi.h>
#include <cstdio>
#ifdef INSIDE
static void add(const void *in, void *inout, int, const MPI::Datatype &) { *static_cast<int *>(inout) += *static_cast<const int *>(in); }
#endif

int main(int argc, char **argv) {
	MPI::Init(argc, argv);
#ifdef INSIDE
	MPI::Op op;
	op.Init(add, true);
#endif
	int rank = MPI::COMM_WORLD.Get_rank(), sum = 0, one = 1;
	MPI::COMM_WORLD.Allreduce(&one, &sum, 1, MPI::INT, MPI::SUM);
	MPI::Intracomm c = MPI::COMM_WORLD.Split(rank % 2, 0);
	if (rank == 0) std::printf("%d of %d, half %d\n", rank, sum, c.Get_size());
	c.Free();
	MPI::Finalize();
}
