// Command cabi is libsctpmpi.so (-buildmode=c-shared): MPI for C programs, over package core. Programs do not see it, but one of
// three libraries above it, which have the names and numbers of an ABI: the MPI-5 standard's, MPICH's or Open MPI's.
//
// The function MPI_Foo_bar is exported as sctpmpi_Foo_bar, with the parameters of sctpmpi.h. They are canonical: constants and
// the status are those of the standard ABI, handles and scalar counts have 64 bits. An export returns 0 or an error code, and
// in the second case the library above asks sctpmpi_fail what to do.
//
// An export converts its arguments, calls the function mpiFooBar and passes on what comes back. It is generated, from the line of
// functions.txt and the types of mpiFooBar, which is written by hand and does the rest, mostly by a call of package core:
//
//	Irecv/c(buf:out count datatype:type source:rank tag comm request*)
//
//	func mpiIrecv(c *comm, b core.Buffer, source, tag int) (*core.Request, error) {
//		return c.Irecv("MPI_Irecv", b, source, tag)
//	}
//
// The first parameter is the object that the function is on, whose error handler counts; the others are in the order of the table.
// The type of each says how far its argument is converted: a handle to the object (a wrong one ends the export with the error class
// of its kind), a rank or a tag to core's numbers, memory with its count and datatype to a core.Buffer; C's own types leave it as it
// is. Results are in the order of the table, too, and an error may follow: without one they go where the program wants them. Some
// functions are for many of MPI's, which differ in a value that their names say: a core.Form (mpiBcast is MPI_Ibcast and
// MPI_Bcast_init, too), an rpi.Mode, a file.Access, a handle.Kind. All this is in internal/generate: implementation.go, take.go, give.go.
// "go generate ." writes exports.go. What does not fit is an export by hand, and the table says so.
//
// Objects live in tables by their handles: see package handle and tables.go. Errors are *mpierr.Error of core, or a *fault for
// classes that core does not have. Functions of the program are called through callback.go.
//
// A C thread is locked to the goroutine in which it is in Go, and takes 7 µs to go on if that has been parked. So waits go
// through core with rpi.Config.Threads, which moves messages, blocks and wakes on the thread itself. Exports must not wait for
// channels, mutexes that are held for long, or other goroutines.
package main

// main is not called: the library's users are C programs.
func main() {}
