// Package assoc is an SCTP association (RFC 9260) without I/O: set-up, data
// transfer, path management and end. It knows no socket, starts no goroutine and
// reads no clock: time comes in as the time since an epoch of the caller's, packets
// come in parsed, packets to be sent are put into a batch, and Deadline says when to
// call Expire. None of its types is safe for concurrent use.
//
// Package tx is its sending half, rx its receiving half, plpmtud its path MTU
// discovery. What concerns packets that belong to no association yet, or to none
// at all, is package endpoint's: INIT chunks, state cookies, packets out of the
// blue.
//
// After each call of a method that takes a time, ask Next for packets until it has
// none, and Deadline anew; Poll has events while Ready says so.
package assoc
