! The addresses that mean something else in Fortran: a graph without weights.
program graph
  use mpi_f08
  implicit none
  type(MPI_Comm) :: g
  integer :: rank, i, o, from(1), to(1), none(0)
  logical :: weighted
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  from(1) = rank
  to(1) = rank
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED, &
    MPI_INFO_NULL, .false., g)
  call MPI_Dist_graph_neighbors_count(g, i, o, weighted)
  if (i /= 1 .or. o /= 1 .or. weighted) stop 'a graph without weights'
  call MPI_Comm_free(g)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, none, MPI_WEIGHTS_EMPTY, 0, none, MPI_WEIGHTS_EMPTY, &
    MPI_INFO_NULL, .false., g)
  call MPI_Dist_graph_neighbors_count(g, i, o, weighted)
  if (i /= 0 .or. o /= 0 .or. .not. weighted) stop 'a graph with empty weights'
  call MPI_Comm_free(g)
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'no errors'
end program
