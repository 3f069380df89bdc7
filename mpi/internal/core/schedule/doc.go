// Package schedule describes collective operations as data. A schedule is what one rank does in
// one operation: messages to send and receive, memory to copy and vectors to combine, and which of
// these steps must be complete before which others begin. It holds no memory, no connection and no
// clock: package collective runs it, for a caller that waits, in the background, or again and
// again; the tests run the schedules of all ranks in one goroutine, and in virtual time.
//
// An algorithm is a function that adds steps to a [Builder]. It names the steps that a step waits
// for: see [Ref]. Two steps of which one writes what the other reads or writes must be ordered
// so, directly or over other steps; the tests check that of every schedule that they build.
//
// Each operation is a function that chooses an algorithm from a table, by the number of ranks and bytes, which are values
// that MPI makes equal on all ranks: [Bcast] and so on, of chapter 6 of MPI 4.1. [Builder.Force] overrules the table.
// Where ranks share hosts ([Ranks].Hosts), and the result cannot depend on it, one rank of each host talks to other hosts.
//
// Reductions combine in the order of ranks unless the operation commutes. How they group depends on nothing but the
// operation's properties, the number of ranks and bytes; in Reduce of long vectors where it commutes, on the root too.
//
// Messages from one rank to another have no names. What a rank sends to a peer is received there
// in the order of the steps: the n-th Send to a peer belongs to the peer's n-th Recv from this
// rank, and has exactly its length. A runner starts the sends to one peer in the
// order of the steps, and the receives from one peer too, even if a later one is ready first.
package schedule
