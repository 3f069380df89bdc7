// Package socket is the contract of a one-to-many SCTP socket, after RFC 6458:
// one socket per process, an association per peer, streams in each association.
// It is made for a program that moves many messages: nothing blocks but Wait,
// events come in batches, payload is lent instead of copied. Package sockettest
// is the contract in executable form.
//
// # Associations
//
// Connect begins an association, which an Up event follows when it can be used,
// or a Lost event when it came to nothing. A peer's Connect shows as an Up event
// of an association that nobody here asked for. Messages may be sent from the
// time that the AssocID is known, before Up too. When both ends Connect to each
// other at the same time there is one association (RFC 9260, section 5.2).
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
