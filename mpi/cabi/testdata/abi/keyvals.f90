! Numbers of keyvals are used again: attributes of Fortran stay numbers, and none is taken for a predefined one.
program keyvals
  use mpi
  implicit none
  integer :: rank, key, i, e
  logical :: there
  integer(kind=MPI_ADDRESS_KIND) :: value, got, extra = 0
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  do i = 1, 300
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, extra, e)
    value = i
    got = -1
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, value, e)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, got, there, e)
    if (.not. there .or. got /= i) stop 'an attribute has changed'
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, key, e)
    call MPI_Comm_free_keyval(key, e)
  end do
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, got, there, e)
  if (.not. there .or. got < 32767) stop 'the largest tag'
  call MPI_Finalize(e)
  if (rank == 0) print '(a)', 'no errors'
end program
