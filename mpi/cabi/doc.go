// Command cabi is libsctpmpi.so (-buildmode=c-shared): MPI for C programs, over package core. Programs do not see it, but one of
// two libraries above it, which have the names and numbers of an ABI: the MPI-5 standard's or MPICH's.
//
// The function MPI_Foo_bar is exported as sctpmpi_Foo_bar, with the parameters of sctpmpi.h. They are canonical: constants and
// the status are those of the standard ABI, handles and scalar counts have 64 bits. An export returns 0 or an error code, and
// in the second case the library above asks sctpmpi_fail what to do.
//
// An export decodes its arguments, calls package core and encodes what comes back, in this pattern:
//
//	//export sctpmpi_Isend
//	func sctpmpi_Isend(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
//		return isend("MPI_Isend", rpi.Standard, buf, count, datatype, dest, tag, comm, request)
//	}
//
//	func isend(op string, …) C.int {
//		c, err := commOf(comm)                         // a handle: commOf, groupOf, typeOf, infoOf, …
//		if err != nil {
//			return failed(nil, err)                // nil: no object's error handler counts
//		}
//		b, err := bufferOf(buf, count, datatype)
//		if err != nil {
//			return failed(c, err)                  // c's error handler counts
//		}
//		return c.giveRequest(request, func() (*core.Request, error) {
//			return c.Isend(op, mode, b, rankOf(dest), tagOf(tag))
//		}) // a new handle, or the code of err
//	}
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
