// Package file is MPI-IO (MPI 4.1, chapter 14) on the file systems of an operating system, without a language: what the
// ranks of a communicator read and write together in one file.
//
// # From an access to the file
//
// An access has two ends, and both are streams of the same bytes. [Memory] is the program's: elements of a datatype, packed in
// their order. A view is the file's: copies of the filetype, one after the other. Byte n of the one goes to byte n of the
// other. Both can be entered at any byte, so all loops here go over parts of the stream that fit into a buffer, whatever the
// size of the access.
//
// An independent access (independent.go, sieve.go) goes through the pieces of the view. A collective one (collective.go,
// plan.go) is in two phases: some ranks are aggregators, which have a part of the file each, its domain. In each round an
// aggregator has a window of its domain in memory; the ranks send it what they write there, or it sends what they read, and
// only the aggregator calls the operating system, with long pieces. Every rank knows the views of all ranks, so that nothing
// but data is sent, and no rank has to tell another where its data belongs.
//
// # What ranks agree on
//
// Each collective call begins, and each that can fail later ends, with an exchange of short records (agree.go). If one rank
// fails, or has made another call, all ranks get an error. A file has a communicator of its own, on which nothing else is sent.
//
// # Who runs it
//
// Regular files block their thread, so nonblocking operations run on workers: a few for the process, and one for the collective
// operations of each file, which run in the order of the calls (work.go).
package file
