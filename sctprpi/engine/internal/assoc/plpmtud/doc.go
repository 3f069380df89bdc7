// Package plpmtud finds out how large a packet a path can carry, by probing (RFC
// 8899, "DPLPMTUD"), for one path of an SCTP association. A probe is a HEARTBEAT
// chunk with a PAD chunk that brings the packet to the size to be tested; HEARTBEAT
// ACK says that it has arrived (section 6.2). Sending it is the association's
// affair, with fragmentation by IP forbidden: a Search does no I/O, starts no
// goroutine and reads no clock. Time is what has passed since an epoch of the
// caller's. A Search is not safe for concurrent use.
//
// Sizes are in bytes of IP packet, headers of IP and UDP included, and multiples of
// 4, as SCTP packets are.
//
// # The search
//
// The first probe of a search is as large as the local route allows, so that a path
// that can take it all, such as loopback or jumbo frames from end to end, is done in
// one round trip. If it is lost, Base is confirmed (state BASE), then sizes above it
// are tried (SEARCHING): those that are common first, 1,500 before all others, and
// between a size that has passed and one that has not by halves. The search ends
// (SEARCH_COMPLETE) where the two are no more than 16 bytes, or one part in 128,
// apart. MTU is in use as soon as its probe is acknowledged. If Base does not pass, MTU is
// Min, and once a probe of that is acknowledged the search goes on above it. If not even
// Min passes the state is ERROR: Min is tried ever more rarely.
//
// A lost probe may have been too large or just lost. While there is a smaller size
// to try a single loss is believed; the size at which the search ends has to be lost
// MaxProbes times. If it passes after all, what was lost above it is forgotten and
// the search goes on there. Last comes a probe of MTU itself: if that is lost too,
// the path was down, and the losses say nothing. Where section 5.1.2 has MAX_PROBES
// losses of any size end the search, this counts those of one size; else no search by
// halves would get far.
//
// # What it costs
//
// On a path of any size from 1,200 to 65,535 bytes behind a local route of 65,535 a
// search takes at most 18 probes, of which 13 are lost, if none is lost but for its
// size. A path of 1,500 there takes 8, of which 5 are lost, and is used to the full
// after the third; with ICMP it takes 4 and no timeout; if the route says 1,500 as
// well it takes 1. Below 1,200 it takes at most 17, of which 13 are lost. When the raise timer has run out, 5 show that nothing has changed.
//
// There is one probe at a time. A lost one is waited for as long as the caller says,
// and after an acknowledgement the next is due at once, so that probes are a round
// trip apart (section 8). They need no room in the congestion window, and the loss of
// one must not shrink it (section 3, item 7).
//
// # Idle paths
//
// The only timers are that of the probe in flight and, in ERROR, that of the next one.
// PMTU_RAISE_TIMER, after which a larger MTU is searched for again, starts nothing by itself: it is
// read when Probe is called. A caller that calls Probe only when it sends something anyway leaves
// an idle path alone (section 5.1.1 allows that).
package plpmtud
