! What Fortran has of MPI 4 and 5, and Open MPI's modules do not know: programs call it by mpif.h.
#define CHECK(condition) if (.not. (condition)) call fail(__LINE__)

subroutine fail(line)
  integer, intent(in) :: line
  print '(a,i0,a)', 'openmpi_new.F90:', line, ': is not so'
  flush (6)
  stop 1
end subroutine

program new
  implicit none
  include 'mpif.h'
  integer :: session, group, comm, info, rank, size, length, count, n, ierror
  integer, dimension(100) :: buffer
  logical :: flag
  character(len=40) :: name, value
  external :: MPI_SESSION_INIT, MPI_SESSION_GET_NUM_PSETS, MPI_SESSION_GET_NTH_PSET, MPI_SESSION_FINALIZE
  external :: MPI_GROUP_FROM_SESSION_PSET, MPI_COMM_CREATE_FROM_GROUP, MPI_INFO_CREATE_ENV, MPI_INFO_GET_STRING
  external :: MPI_COMM_ATTACH_BUFFER, MPI_COMM_DETACH_BUFFER, MPI_SESSION_ATTACH_BUFFER, MPI_SESSION_DETACH_BUFFER

  call MPI_SESSION_INIT(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call MPI_SESSION_GET_NUM_PSETS(session, MPI_INFO_NULL, count, ierror)
  CHECK(ierror == MPI_SUCCESS .and. count >= 2)
  ! A length of 0 asks for that of the name, which in Fortran has no end of its own.
  name = 'as it was'
  length = 0
  call MPI_SESSION_GET_NTH_PSET(session, MPI_INFO_NULL, 0, length, name, ierror)
  CHECK(ierror == MPI_SUCCESS .and. length == 11 .and. name == 'as it was')
  length = len(name)
  call MPI_SESSION_GET_NTH_PSET(session, MPI_INFO_NULL, 0, length, name, ierror)
  CHECK(ierror == MPI_SUCCESS .and. length == 11 .and. name == 'mpi://WORLD')
  call MPI_SESSION_GET_NTH_PSET(session, MPI_INFO_NULL, count, length, name, ierror)
  CHECK(ierror /= MPI_SUCCESS)

  call MPI_GROUP_FROM_SESSION_PSET(session, 'mpi://WORLD  ', group, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call MPI_COMM_CREATE_FROM_GROUP(group, 'new', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call MPI_GROUP_FREE(group, ierror)
  call MPI_COMM_RANK(comm, rank, ierror)
  call MPI_COMM_SIZE(comm, size, ierror)

  call MPI_COMM_ATTACH_BUFFER(comm, buffer, 400, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call MPI_BSEND(rank, 1, MPI_INTEGER, mod(rank + 1, size), 3, comm, ierror)
  call MPI_RECV(n, 1, MPI_INTEGER, mod(rank + size - 1, size), 3, comm, MPI_STATUS_IGNORE, ierror)
  CHECK(ierror == MPI_SUCCESS .and. n == mod(rank + size - 1, size))
  n = 0
  call MPI_COMM_DETACH_BUFFER(comm, buffer, n, ierror)
  CHECK(ierror == MPI_SUCCESS .and. n == 400)
  call MPI_SESSION_ATTACH_BUFFER(session, buffer, 200, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call MPI_SESSION_DETACH_BUFFER(session, buffer, n, ierror)
  CHECK(ierror == MPI_SUCCESS .and. n == 200)

  call MPI_INFO_CREATE_ENV(info, ierror)
  CHECK(ierror == MPI_SUCCESS)
  length = len(value)
  call MPI_INFO_GET_STRING(info, 'wdir', length, value, flag, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call MPI_INFO_FREE(info, ierror)
  CHECK(info == MPI_INFO_NULL)
  call MPI_COMM_FREE(comm, ierror)
  call MPI_SESSION_FINALIZE(session, ierror)
  CHECK(ierror == MPI_SUCCESS)
  if (rank == 0) print '(a)', 'no errors'
end program
