! A program of Open MPI in Fortran. It is compiled in three ways: INTERFACE is what makes MPI known, HANDLE(X) the type of handles.
#define INTERFACE
#define HEADER
#ifdef F08
#undef INTERFACE
#define INTERFACE use mpi_f08
#define HANDLE(X) type(X)
#define STATUS type(MPI_Status)
#define SOURCE(s) s%MPI_SOURCE
#define TAG(s) s%MPI_TAG
#else
#ifdef MODULE
#undef INTERFACE
#define INTERFACE use mpi
#else
#undef HEADER
#define HEADER include 'mpif.h'
#endif
#define HANDLE(X) integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define SOURCE(s) s(MPI_SOURCE)
#define TAG(s) s(MPI_TAG)
#endif
#define CHECK(condition) if (.not. (condition)) call fail(__LINE__)

module functions
  integer :: copied = 0, deleted = 0, handled = 0, queried = 0, freed = 0
contains
  subroutine fail(line)
    integer, intent(in) :: line
    print '(a,i0,a)', 'openmpi.F90:', line, ': is not so'
    flush (6)
    stop 1
  end subroutine

  ! Adds, and counts 100 for each call. It looks at the datatype.
#ifdef F08
  subroutine add(in, inout, n, datatype)
    use, intrinsic :: iso_c_binding
    use mpi_f08
    type(c_ptr), value :: in, inout
    integer :: n
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(in, a, [n])
    call c_f_pointer(inout, b, [n])
    CHECK(datatype == MPI_INTEGER)
    b = a + b + 100
  end subroutine
#else
  subroutine add(in, inout, n, datatype)
    INTERFACE
    HEADER
    integer :: n, in(n), inout(n), datatype
    CHECK(datatype == MPI_INTEGER)
    inout = in + inout + 100
  end subroutine
#endif

  subroutine copy(comm, keyval, extra, in, out, flag, ierror)
    INTERFACE
    HEADER
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    CHECK(comm == MPI_COMM_SELF .and. keyval > 0)
    copied = copied + 1
    CHECK(extra == 4711)
    out = in + 1
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete(comm, keyval, value, extra, ierror)
    INTERFACE
    HEADER
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra
    CHECK(comm /= MPI_COMM_NULL .and. keyval > 0)
    deleted = deleted + 1
    CHECK(extra == 4711 .and. value >= 8589934592_MPI_ADDRESS_KIND)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine handler(comm, code)
    INTERFACE
    HEADER
    HANDLE(MPI_Comm) :: comm
    integer :: code
    CHECK(comm == MPI_COMM_SELF .and. code == MPI_ERR_RANK)
    handled = handled + 1
  end subroutine

  subroutine query(extra, status, ierror)
    INTERFACE
    HEADER
    integer(MPI_ADDRESS_KIND) :: extra
    STATUS :: status
    integer :: ierror
    queried = queried + 1
    CHECK(extra == 8589934593_MPI_ADDRESS_KIND)
    SOURCE(status) = 7
    TAG(status) = 8
    call MPI_Status_set_elements(status, MPI_REAL8, 3, ierror)
    call MPI_Status_set_cancelled(status, .true., ierror)
    ierror = MPI_SUCCESS
  end subroutine
  subroutine release(extra, ierror)
    INTERFACE
    HEADER
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: ierror
    CHECK(extra == 8589934593_MPI_ADDRESS_KIND)
    extra = extra - 1
    freed = freed + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine withdraw(extra, complete, ierror)
    INTERFACE
    HEADER
    integer(MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: ierror
    CHECK(extra == 8589934593_MPI_ADDRESS_KIND .and. .not. complete)
    ierror = MPI_SUCCESS
  end subroutine
end module

program openmpi
  use functions
  INTERFACE
  implicit none
  HEADER
  integer :: rank, size, ierror

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
#ifdef WRONG
  call MPI_Barrier(1234, ierror)
#endif
  call messages
  call requests
  call collectives
  call types
  call attributes
  call errors
  call texts
  call topologies
  call windows
  call files
  call MPI_Finalize(ierror)
  if (rank == 0) print '(a)', 'no errors'
contains
  subroutine messages
    STATUS :: status
    HANDLE(MPI_Message) :: message
    double precision :: a(3), b(3)
    integer :: n, next, previous
    logical :: flag
    next = mod(rank + 1, size)
    previous = mod(rank + size - 1, size)
    a = rank + 0.5d0
    call MPI_Sendrecv(a, 3, MPI_DOUBLE_PRECISION, next, 5, b, 3, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, &
      MPI_COMM_WORLD, status, ierror)
    CHECK(all(b == previous + 0.5d0) .and. SOURCE(status) == previous .and. TAG(status) == 5)
    call MPI_Get_count(status, MPI_DOUBLE_PRECISION, n, ierror)
    CHECK(n == 3)
    call MPI_Sendrecv_replace(a, 3, MPI_REAL8, next, 5, previous, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    CHECK(all(a == b))
    call MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, ierror)
    CHECK(.not. flag)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Send(a, 2, MPI_REAL8, MPI_PROC_NULL, 9, MPI_COMM_WORLD, ierror)
    call MPI_Bsend(a, 0, MPI_REAL8, MPI_PROC_NULL, 9, MPI_COMM_WORLD, ierror)
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, rank, 9, n, 0, MPI_INTEGER, MPI_PROC_NULL, 9, MPI_COMM_WORLD, status, ierror)
    flag = .false.
    do while (.not. flag)
      call MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, flag, status, ierror)
    end do
    CHECK(SOURCE(status) == rank)
    call MPI_Mprobe(rank, 9, MPI_COMM_WORLD, message, status, ierror)
    n = -1
    call MPI_Mrecv(n, 1, MPI_INTEGER, message, status, ierror)
    CHECK(n == rank .and. message == MPI_MESSAGE_NULL)
  end subroutine

  ! Arrays of handles and statuses, and numbers of elements from 1 on.
  subroutine requests
    integer, parameter :: many = 100
    HANDLE(MPI_Request) :: r(many)
#ifdef F08
    STATUS :: s(many)
#else
    integer :: s(MPI_STATUS_SIZE, many)
#endif
    STATUS :: status
    integer :: values(many), i, n, indices(many)
    integer(MPI_ADDRESS_KIND) :: extra
    logical :: flag
    do i = 1, many, 2
      call MPI_Irecv(values(i), 1, MPI_INTEGER, rank, i, MPI_COMM_WORLD, r(i), ierror)
      call MPI_Isend(i, 1, MPI_INTEGER, rank, i, MPI_COMM_WORLD, r(i + 1), ierror)
      call MPI_Wait(r(i + 1), MPI_STATUS_IGNORE, ierror)
      CHECK(r(i + 1) == MPI_REQUEST_NULL)
    end do
    call MPI_Waitall(many, r, s, ierror)
    do i = 1, many, 2
      CHECK(values(i) == i .and. r(i) == MPI_REQUEST_NULL)
#ifdef F08
      CHECK(s(i)%MPI_TAG == i)
#else
      CHECK(s(MPI_TAG, i) == i)
#endif
    end do
    call MPI_Waitall(many, r, MPI_STATUSES_IGNORE, ierror)
    call MPI_Waitany(many, r, n, status, ierror)
    CHECK(n == MPI_UNDEFINED)
    call MPI_Irecv(values, 1, MPI_INTEGER, rank, 3, MPI_COMM_WORLD, r(3), ierror)
    call MPI_Testany(many, r, n, flag, status, ierror)
    CHECK(.not. flag .and. n == MPI_UNDEFINED)
    call MPI_Send(rank, 1, MPI_INTEGER, rank, 3, MPI_COMM_WORLD, ierror)
    call MPI_Waitany(many, r, n, status, ierror)
    CHECK(n == 3 .and. TAG(status) == 3)
    call MPI_Irecv(values, 1, MPI_INTEGER, rank, 4, MPI_COMM_WORLD, r(many), ierror)
    call MPI_Send(rank, 1, MPI_INTEGER, rank, 4, MPI_COMM_WORLD, ierror)
    call MPI_Waitsome(many, r, n, indices, s, ierror)
    CHECK(n == 1 .and. indices(1) == many)

    extra = 8589934593_MPI_ADDRESS_KIND
    call MPI_Grequest_start(query, release, withdraw, extra, r(1), ierror)
    call MPI_Cancel(r(1), ierror)
    call MPI_Grequest_complete(r(1), ierror)
    call MPI_Wait(r(1), status, ierror)
    call MPI_F_sync_reg(extra)
    CHECK(queried == 1 .and. freed == 1 .and. extra == 8589934592_MPI_ADDRESS_KIND)
    CHECK(SOURCE(status) == 7 .and. TAG(status) == 8)
    call MPI_Get_elements(status, MPI_REAL8, n, ierror)
    CHECK(n == 3)
    call MPI_Test_cancelled(status, flag, ierror)
    CHECK(flag)
  end subroutine

  subroutine collectives
    STATUS :: status
    HANDLE(MPI_Op) :: op
    HANDLE(MPI_Request) :: request
    integer :: a, b, all(size), i, pair(2), most(2)
    real :: x
    logical :: yes, commutes
    call MPI_Op_create(add, .true., op, ierror)
    call MPI_Op_commutative(op, commutes, ierror)
    CHECK(commutes)
    call MPI_Allreduce(rank, a, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
    CHECK(a == size * (size - 1) / 2 + 100 * (size - 1))
#ifdef MIXED
    call MPI_Sendrecv(a, 1, MPI_INTEGER, rank, 5, b, 1, MPI_INTEGER, rank, 5, MPI_COMM_WORLD, status, ierror)
    call c_reduce(op, rank, b, status)
    CHECK(a == b)
#endif
    call MPI_Op_free(op, ierror)
    CHECK(op == MPI_OP_NULL)
    b = rank
    call MPI_Allreduce(MPI_IN_PLACE, b, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    CHECK(b == size * (size - 1) / 2)
    pair = [mod(rank, 2), rank]
    call MPI_Allreduce(pair, most, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD, ierror)
    CHECK(most(1) == min(1, size - 1) .and. most(2) == min(1, size - 1))
    yes = rank == 0
    call MPI_Allreduce(MPI_IN_PLACE, yes, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierror)
    CHECK(yes)
    x = 1.5
    call MPI_Iallreduce(MPI_IN_PLACE, x, 1, MPI_REAL, MPI_PROD, MPI_COMM_WORLD, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    CHECK(x == 1.5**size)
    all(rank + 1) = rank
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    CHECK(sum(all) == size * (size - 1) / 2)
    call MPI_Alltoallw(MPI_IN_PLACE, [0], [0], [MPI_DATATYPE_NULL], all, [(1, i=1, size)], [(4 * i, i=0, size - 1)], &
      [(MPI_INTEGER, i=1, size)], MPI_COMM_WORLD, ierror)
    CHECK(all(1) == rank .and. all(size) == rank)
  end subroutine

  ! A type of addresses, received at MPI_BOTTOM.
  subroutine types
    HANDLE(MPI_Datatype) :: t, inside(3), f90
    integer(MPI_ADDRESS_KIND) :: where(2), lb, extent
    integer :: i, n, integers(10), combiner, m, k
    integer(MPI_ADDRESS_KIND) :: addresses(10)
    double precision :: x
    real :: e
    i = 0
    x = 0
    call MPI_Get_address(i, where(1), ierror)
    call MPI_Get_address(x, where(2), ierror)
    call MPI_Type_create_struct(2, [1, 1], where, [MPI_INTEGER, MPI_DOUBLE_PRECISION], t, ierror)
    call MPI_Type_commit(t, ierror)
    call MPI_Sendrecv([rank, 0, 0], 0, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_BOTTOM, 1, t, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierror)
    if (rank == 0) then
      i = 42
      x = 2.5d0
    end if
    call MPI_Bcast(MPI_BOTTOM, 1, t, 0, MPI_COMM_WORLD, ierror)
    call MPI_F_sync_reg(i)
    call MPI_F_sync_reg(x)
    CHECK(i == 42 .and. x == 2.5d0)
    call MPI_Type_get_envelope(t, n, m, k, combiner, ierror)
    CHECK(n == 3 .and. m == 2 .and. k == 2 .and. combiner == MPI_COMBINER_STRUCT)
    call MPI_Type_get_contents(t, n, m, k, integers, addresses, inside, ierror)
    CHECK(addresses(2) == where(2) .and. inside(1) == MPI_INTEGER .and. inside(2) == MPI_DOUBLE_PRECISION)
    call MPI_Type_free(t, ierror)
    CHECK(t == MPI_DATATYPE_NULL)
    call MPI_Type_create_f90_real(6, MPI_UNDEFINED, f90, ierror)
    call MPI_Type_get_extent(f90, lb, extent, ierror)
    CHECK(lb == 0 .and. extent == 4)
    e = 0
    if (rank == 0) e = 0.25
    call MPI_Bcast(e, 1, f90, 0, MPI_COMM_WORLD, ierror)
    CHECK(e == 0.25)
    call MPI_Type_size(MPI_2DOUBLE_PRECISION, n, ierror)
    CHECK(n == 16)
    call MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 8, t, ierror)
    call MPI_Type_size(t, n, ierror)
    CHECK(n == 8)
  end subroutine

  subroutine attributes
    HANDLE(MPI_Comm) :: other
    integer :: keyval, plain
    integer(MPI_ADDRESS_KIND) :: extra, value
    logical :: flag
    extra = 4711
    call MPI_Comm_create_keyval(copy, delete, keyval, extra, ierror)
    call MPI_Comm_get_attr(MPI_COMM_SELF, keyval, value, flag, ierror)
    CHECK(.not. flag)
    value = 8589934592_MPI_ADDRESS_KIND
    call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, value, ierror)
    call MPI_Comm_dup(MPI_COMM_SELF, other, ierror)
    call MPI_Comm_get_attr(other, keyval, value, flag, ierror)
    CHECK(flag .and. value == 8589934593_MPI_ADDRESS_KIND .and. copied == 1)
    call MPI_Comm_free(other, ierror)
    CHECK(other == MPI_COMM_NULL .and. deleted == 1)
    call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval, ierror)
    call MPI_Comm_free_keyval(keyval, ierror)
    CHECK(deleted == 2 .and. keyval == MPI_KEYVAL_INVALID)

    extra = 0
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra, ierror)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, plain, extra, ierror)
    value = -5
    call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, value, ierror)
    call MPI_Comm_set_attr(MPI_COMM_SELF, plain, value, ierror)
#ifdef MIXED
    call c_attribute(MPI_COMM_SELF, plain, extra)
    call MPI_Comm_get_attr(MPI_COMM_SELF, plain, value, flag, ierror)
    CHECK(flag .and. value == extra)
#endif
    call MPI_Comm_dup(MPI_COMM_SELF, other, ierror)
    call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval, ierror)
    call MPI_Comm_get_attr(other, keyval, value, flag, ierror)
    CHECK(flag .and. value == -5)
    call MPI_Comm_get_attr(other, plain, value, flag, ierror)
    CHECK(.not. flag)
    call MPI_Comm_free(other, ierror)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierror)
    CHECK(flag .and. value >= 32767 .and. value <= huge(0))
  end subroutine

  subroutine errors
    HANDLE(MPI_Errhandler) :: errhandler, was
    character(MPI_MAX_ERROR_STRING) :: text
    integer :: code, n, class
    call MPI_Comm_create_errhandler(handler, errhandler, ierror)
    call MPI_Comm_get_errhandler(MPI_COMM_SELF, was, ierror)
    CHECK(was == MPI_ERRORS_ARE_FATAL)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, errhandler, ierror)
    call MPI_Errhandler_free(errhandler, ierror)
    CHECK(errhandler == MPI_ERRHANDLER_NULL)
    call MPI_Send(rank, 1, MPI_INTEGER, 77, 0, MPI_COMM_SELF, code)
    CHECK(handled == 1 .and. code == MPI_ERR_RANK)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)
    call MPI_Send(rank, 1, MPI_INTEGER, 77, 0, MPI_COMM_SELF, code)
    call MPI_Error_class(code, class, ierror)
    text = repeat('x', MPI_MAX_ERROR_STRING)
    call MPI_Error_string(code, text, n, ierror)
    CHECK(class == MPI_ERR_RANK .and. n > 0 .and. len_trim(text) == n .and. index(text, '77') > 0)
    call MPI_Add_error_class(class, ierror)
    call MPI_Add_error_string(class, 'of this program  ', ierror)
    call MPI_Error_string(class, text, n, ierror)
    CHECK(n == 15 .and. text == 'of this program')
  end subroutine

  subroutine texts
    HANDLE(MPI_Info) :: info
    HANDLE(MPI_Comm) :: comm
    character(MPI_MAX_PROCESSOR_NAME) :: name
    character(4) :: short
    character(MPI_MAX_OBJECT_NAME) :: long
    integer :: n
    logical :: flag
    name = repeat('x', len(name))
    call MPI_Get_processor_name(name, n, ierror)
    CHECK(n > 0 .and. len_trim(name) == n)
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierror)
    call MPI_Comm_set_name(comm, 'a name   ', ierror)
    call MPI_Comm_get_name(comm, long, n, ierror)
    CHECK(n == 6 .and. long == 'a name')
    call MPI_Comm_free(comm, ierror)
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, ' a key  ', '  a value ', ierror)
    call MPI_Info_get(info, 'a key', 20, long, flag, ierror)
    CHECK(flag .and. long == 'a value')
    call MPI_Info_get(info, 'a key', 4, short, flag, ierror)
    CHECK(flag .and. short == 'a va')
    call MPI_Info_get_valuelen(info, ' a key ', n, flag, ierror)
    CHECK(flag .and. n == 7)
    call MPI_Info_get_nthkey(info, 0, long, ierror)
    CHECK(long == 'a key')
    long = 'as before'
    call MPI_Info_get(info, 'another', 20, long, flag, ierror)
    CHECK(.not. flag .and. long == 'as before')
    call MPI_Info_free(info, ierror)
    CHECK(info == MPI_INFO_NULL)
    call MPI_Get_library_version(name, n, ierror)
    CHECK(index(name, 'sctpmpi') > 0)
  end subroutine

  subroutine topologies
    HANDLE(MPI_Comm) :: grid, part, graph
    HANDLE(MPI_Group) :: group, some
    integer :: dims(2), coords(2), n, m, degree(1)
    logical :: periods(2), flag
    dims = 0
    call MPI_Dims_create(size, 2, dims, ierror)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., grid, ierror)
    periods = [.false., .true.]
    call MPI_Cart_get(grid, 2, dims, periods, coords, ierror)
    CHECK(periods(1) .and. .not. periods(2))
    call MPI_Cart_rank(grid, coords, n, ierror)
    CHECK(n == rank)
    call MPI_Cart_sub(grid, [.true., .false.], part, ierror)
    call MPI_Comm_size(part, n, ierror)
    CHECK(n == dims(1))
    call MPI_Comm_test_inter(part, flag, ierror)
    CHECK(.not. flag)
    call MPI_Comm_free(part, ierror)
    call MPI_Comm_free(grid, ierror)
    degree = rank
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, degree, MPI_UNWEIGHTED, 1, degree, MPI_UNWEIGHTED, &
      MPI_INFO_NULL, .false., graph, ierror)
    call MPI_Dist_graph_neighbors_count(graph, n, m, flag, ierror)
    CHECK(n == 1 .and. m == 1 .and. .not. flag)
    call MPI_Comm_free(graph, ierror)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, degree, MPI_WEIGHTS_EMPTY, 0, degree, MPI_WEIGHTS_EMPTY, &
      MPI_INFO_NULL, .false., graph, ierror)
    call MPI_Dist_graph_neighbors_count(graph, n, m, flag, ierror)
    CHECK(n == 0 .and. m == 0 .and. flag)
    call MPI_Comm_free(graph, ierror)
    call MPI_Comm_group(MPI_COMM_WORLD, group, ierror)
    call MPI_Group_range_incl(group, 1, reshape([size - 1, 0, -1], [3, 1]), some, ierror)
    call MPI_Group_rank(some, n, ierror)
    CHECK(n == size - 1 - rank)
    call MPI_Group_free(some, ierror)
    call MPI_Group_free(group, ierror)
  end subroutine

  subroutine windows
    HANDLE(MPI_Win) :: win
    integer :: here, n
    integer(MPI_ADDRESS_KIND) :: bytes, value
    logical :: flag
    here = -1
    bytes = 4
    call MPI_Win_create(here, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierror)
    CHECK(flag .and. value == 4)
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag, ierror)
    CHECK(flag .and. value == 4)
    call MPI_Get_address(here, bytes, ierror)
    call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag, ierror)
    CHECK(flag .and. value == bytes)
    call MPI_Win_fence(0, win, ierror)
    bytes = 0
    call MPI_Put(rank, 1, MPI_INTEGER, mod(rank + 1, size), bytes, 1, MPI_INTEGER, win, ierror)
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierror)
    call MPI_F_sync_reg(here)
    CHECK(here == mod(rank + size - 1, size))
    call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win, ierror)
    call MPI_Fetch_and_op(rank, n, MPI_INTEGER, 0, bytes, MPI_NO_OP, win, ierror)
    call MPI_Win_unlock(0, win, ierror)
    CHECK(n == size - 1)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Win_free(win, ierror)
    CHECK(win == MPI_WIN_NULL)
    bytes = MPI_Aint_add(bytes, value)
    CHECK(bytes == value)
  end subroutine

  subroutine files
    HANDLE(MPI_File) :: file
    STATUS :: status
    character(200) :: name
    character(MPI_MAX_DATAREP_STRING) :: datarep
    HANDLE(MPI_Datatype) :: etype, filetype
    integer(MPI_OFFSET_KIND) :: offset
    integer :: i, n
    call get_environment_variable('TMPDIR', name)
    name = trim(name)//'/a file of Fortran'
    call MPI_File_open(MPI_COMM_WORLD, name, ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierror)
    CHECK(ierror == MPI_SUCCESS)
    offset = 0
    call MPI_File_set_view(file, offset, MPI_INTEGER, MPI_INTEGER, 'native  ', MPI_INFO_NULL, ierror)
    call MPI_File_get_view(file, offset, etype, filetype, datarep, ierror)
    CHECK(offset == 0 .and. etype == MPI_INTEGER .and. filetype == MPI_INTEGER .and. datarep == 'native')
    offset = rank
    call MPI_File_write_at_all(file, offset, rank, 1, MPI_INTEGER, status, ierror)
    call MPI_Get_count(status, MPI_INTEGER, n, ierror)
    CHECK(n == 1)
    call MPI_File_sync(file, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    offset = size - 1
    i = -1
    call MPI_File_read_at(file, offset, i, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierror)
    CHECK(i == size - 1)
    call MPI_File_close(file, ierror)
    CHECK(file == MPI_FILE_NULL)
    call MPI_File_open(MPI_COMM_SELF, trim(name)//' that is not there', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierror)
    CHECK(ierror == MPI_ERR_NO_SUCH_FILE)
  end subroutine
end program
