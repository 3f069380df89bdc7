// Package thread makes system calls that wait, or look whether they would have to, on the caller's thread, of which Go's
// scheduler does not know. Go's network poller, which the others use, costs a change of goroutine, and mostly of
// thread, on either side of a wait; and a system call that the scheduler knows of has it look every 20 µs for who could use
// the processor meanwhile.
package thread
