// Package socket is the contract of a one-to-many SCTP socket, after RFC 6458:
// one socket per process, an association per peer, streams in each association.
// It is for programs that use SCTP, with MPI or without, and move many messages:
// nothing blocks but Wait, events come in batches, payload is lent instead of
// copied. Package sctprpi/internal/sockettest is the contract in executable form.
//
// # Associations
//
// Connect begins an association. An Up event follows when it can be used, or a Lost event if it
// fails. A peer's Connect shows as an Up event of an association that this program did not begin.
// Messages may be sent as soon as the AssocID is known, even before Up. When both ends Connect to
// each other at the same time there is one association (RFC 9260, section 5.2).
//
// After a Lost, Closed or Aborted event the AssocID is dead. It will not be used
// again by the same socket.
//
// # Order of events
//
// Of one association, Up comes first and the event that ends it comes last. Data
// of one stream comes in the order in which it was sent, unless it was sent
// unordered. All Released events of an association come before the one that ends
// it. Nothing is said of the order of events of different associations.
//
// # Concurrency
//
// All methods may be called at any time by any goroutine. But for Wait and Close
// they do not wait for the network or for another's Wait.
package socket
