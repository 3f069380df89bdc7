// Package matching decides which message a receive gets. It is for transports:
// programs use package mpi. It is a pure data structure: no I/O, no goroutines,
// no clock and no locks; the caller serialises.
//
// # The rules
//
// The messages from one process to another in one context carry sequence
// numbers. Those of one tag arrive in order; those of different tags may
// overtake each other, because they travel on different streams. MPI promises
// that messages do not overtake for any receive that could match both (MPI
// 4.1, section 3.5), so:
//
//   - a receive with a concrete tag may take a message at once, even when
//     messages sent earlier with other tags are still missing, unless an
//     any-tag receive that could take it was posted before and still waits;
//   - an any-tag receive takes a message only when everything sent before it
//     has arrived, and then the one that was sent first;
//   - receives that match the same message take it in the order in which they
//     were posted; a probe finds what a receive posted now would take;
//   - where the program allows overtaking, everything sent before a message
//     counts as arrived;
//   - of messages from different sources that it may take, a receive takes the
//     one that arrived first, or, with any tag, the one for which everything
//     sent before it had arrived first.
//
// # The structure
//
// A receive waits in the queue of its pattern, wildcards included. An unexpected
// message is in the queues of all four patterns that match it. So to match a
// message or a receive, the engine looks at the heads of at most four queues,
// however long they are.
//
// A message is ready when everything sent before it has arrived. A message that
// is not ready, and that no receive may take yet, is held. Only held messages can
// be matched later without a new receive: when they become ready, or when an
// any-tag receive leaves that was posted before others. The work for this grows
// with the number of held messages, and is done only if a receive with a concrete
// tag was posted after the any-tag receive that left. Where no message overtakes
// another, as on one TCP connection, nothing is ever held.
package matching
