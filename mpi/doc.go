// Package mpi is the Message Passing Interface for Go, in Go: processes that
// may share nothing exchange typed slices, one to one and all together. It is
// all that a program needs to import. It follows MPI 4.1
// (https://www.mpi-forum.org/docs/mpi-4.1/mpi41-report.pdf), whose sections the
// documentation cites. docs/mpi-coverage.md has the Go names of all its functions.
//
// # Processes and communicators
//
// A job is a fixed number of processes, usually the same program started by a
// launcher such as this project's mpirun. Run makes a process a member of its
// job and hands it the world communicator; its Rank, from 0 to Size-1, is how
// the process tells its part of the work and how others address it:
//
//	err := mpi.Run(func(world *mpi.Comm) error {
//		if world.Rank() == 0 {
//			return mpi.Send(world, []float64{1, 2, 3}, 1, 7)
//		}
//		numbers, status, err := mpi.RecvSlice[float64](world, 0, 7)
//		…
//	})
//
// Without a launcher the world has one process. RunLocal runs a job as goroutines
// of one process, for tests and examples.
//
// Dup, Split and Create make further communicators, the last of the processes of
// a Group. A message sent on one is never received on another, so libraries that
// Dup their caller's do not meet its messages. They attach what they need to it
// by a Key, and give hints by an Info. CreateIntercomm makes an intercommunicator,
// whose messages go from one group of processes to another; Merge makes one group of
// the two.
//
// A Session needs no communicator of its caller: OpenSession makes the process a
// member of its job if it is in none, and CreateFromGroup makes communicators of
// sets of its processes, which have names. So libraries can use MPI side by side.
//
// # Messages
//
// A message goes to a rank with a tag; a receive names both or takes any.
// Messages between two ranks on one communicator do not overtake each other
// where a receive could take either. Sends come in MPI's four modes. Messages of
// unknown length are received with RecvSlice, or with Mprobe and Mrecv; a loop
// over Comm.Messages takes all that come.
//
// Every blocking operation has a form that returns a Request at once, to be
// waited for with Wait, with a set of others (WaitAll, WaitAny, WaitSome), or in
// a select with Done. A buffer belongs to the library until then. What is done
// again and again can be prepared once, as a persistent request: SendInit,
// RecvInit, and for collective operations BcastInit and the like; then
// Request.Start starts it. A long message can be sent in partitions, each as soon
// as it is ready: PsendInit.
//
// # Collective operations
//
// Collective operations, from Barrier to Alltoallv, are called by all ranks of
// a communicator in the same order, with the same root, element type, length
// and operation. Ranks that do not agree get an error that names the difference:
// "rank 1 called Bcast where this rank called Allreduce". A call whose arguments
// are wrong counts as a call, so that the next ones of all ranks belong together.
//
// # Values, slices and objects
//
// Where one element is enough there are forms without slices: SendValue,
// AllreduceValue and the like. Where lengths are known to their owners only
// there are GatherSlices, AlltoallSlices and the like. What is not of fixed
// size, such as maps and strings, is an object, which a Codec makes bytes of:
// see SendObject, BcastObject and the like.
//
// # Topologies
//
// CartCreate makes a communicator whose ranks form a grid, GraphCreate and
// DistGraphCreate one whose ranks form a graph. In neighbourhood collectives,
// such as NeighborAlltoall, each rank exchanges with its neighbours alone: a halo
// exchange is one call.
//
// # Windows
//
// One-sided operations read and change the memory of other ranks without their
// part in it: memory that they show in a window, a Win. Puts, Gets and atomic
// Accumulates go on while the target computes. Fences or locks say when they
// may begin and when they are complete.
//
// # Files
//
// The ranks of a communicator open a file together with OpenFile. Each sees it
// through a view, such as its block of a matrix that is in the file, and reads
// and writes the elements of the view at an offset, at its own position or at one
// that all ranks share. Where all ranks do so at once, as in WriteAll, their small
// pieces are put together to long ones. The forms are those of messages: blocking,
// nonblocking with a Request, collective. The file is on a file system that all
// ranks have mounted.
//
// # Task farms
//
// Package farm, beside this one, hands out independent tasks to the ranks: it hides latency, survives the death of workers, and
// goes on from a checkpoint.
//
// # Types
//
// Elements may be of any type of fixed size without pointers: numbers, bool,
// arrays and structs of them, and types made of these. Types of no size are
// refused. A message has the numbers without the padding of structs, and says of
// which kinds they are: it is received as any type that has the same kinds in the
// same order, a struct of two float64 as two float64 or as an array of them.
// Anything else is ErrType, never garbage. Elements without padding are sent as
// they are in memory, without a copy. int is int64, and uint is uint64: the
// library is for 64-bit platforms. All processes of a job must have the same byte
// order, which is checked.
//
// Memory that is not one slice is Data: a column of a Matrix, every third
// element, one field of all structs of a slice. SendData and its like take it, and
// Data.Pack makes bytes of it. It is what derived datatypes are for in C.
//
// # Errors
//
// Errors are *Error values that match MPI's error classes, as in
// errors.Is(err, mpi.ErrTruncate), and say which argument was wrong, with its
// value, or which rank is gone, as Error.Rank does for programs. Nothing panics
// or exits: a panic comes from the program's own code, and Run makes an error of
// it that ends the job. The death of a process fails the operations that need it,
// with ErrProcFailed, and no others; Comm.Revoke, Comm.Agree and Comm.Shrink
// are how the others go on. A failure within a collective operation
// reaches all ranks that depend on the one that failed.
//
// # Concurrency
//
// Everything may be called from any goroutine at any time, and messages move
// whether or not the program is inside a call (MPI_THREAD_MULTIPLE, strict
// progress). One thing is the caller's to order, as MPI demands: collective
// operations on one communicator. Goroutines that need their own take a Dup.
// Blocking operations through a view made by Comm.WithContext end when its
// context does; the option WithContext bounds Init and Run too.
//
// # Limits
//
// What peers can make a process hold is bounded: see WithUnexpectedLimit.
// Tags go up to MaxTag, messages up to 64 TiB.
//
// # Differences from the C interface
//
//   - Typed slices stand for buffer, count and datatype, and Data for those of
//     derived datatypes.
//   - Lengths that MPI leaves undefined when ranks disagree are checked.
//   - Bsend needs no attached buffer; only persistent requests are freed; WaitAny and
//     the like pass over requests whose outcome has been returned, instead of
//     setting them to null.
//   - Two goroutines in blocking collectives of one communicator are refused
//     with ErrComm. Nonblocking ones may be under way in any number.
//   - All sessions are finalized before the world, if there is one.
//   - Not there: dynamic processes, data representations of the
//     program's own.
package mpi
