// Package core is MPI without a language: processes, communicators, messages
// and collective operations on untyped buffers. A face stands on it for each
// language: package mpi for Go. A face turns its arguments into those of this
// package, says which of its functions was called, and words what comes back.
//
// A program's calls come through a View, a communicator with the context that
// bounds blocking calls (context.Background() where a language has none). A
// Buffer is an address, a count and a Type. Ranks, tags and special values are
// those of MPI 4.1; errors are *mpierr.Error. What operations do is documented
// in package mpi; the comments here say what a face must know besides.
package core
