// Package endpoint is the protocol half of a one-to-many SCTP socket, without I/O: it
// finds the association that a packet belongs to, makes associations of state
// cookies, answers what belongs to none, and runs the timers of all. Time comes in as
// the time since an epoch of the caller's. An Endpoint is not safe for concurrent use.
//
// # What a host without an association can make it keep
//
// Nothing is kept of an INIT chunk: the state cookie has it all, and is signed. A
// packet that is out of the blue costs its answer, of which a bounded number waits to
// be sent. An association is made when a cookie comes back from the address that it
// was sent to, up to Config.MaxAssociations.
//
// # What a peer can make it keep
//
// An association holds what fits its receive buffer, and a chunk more; as much again from
// before a restart, until that has been read. Its send buffer bounds the messages that
// wait for the peer, and a packet's length the answers. The tests of all that are listed
// in docs/engine-hostile-input.md.
//
// # Which association a packet belongs to
//
// An association is known by this end's verification tag, which is unique, and by the peer's
// addresses: IP address, UDP port and SCTP port. The tag finds it for every packet that carries
// one. An INIT chunk carries none; there the address finds it. So two peers behind one IP address
// are distinguished by their UDP ports even if they use the same SCTP port. RFC 6951 would take
// them for one. A peer that restarts on another UDP port looks like a new one, and the old
// association ends by its heartbeats. Addresses that an INIT chunk merely lists prove nothing. So
// two ends that Connect to each other at the same time over different paths make one association
// only if each lists all addresses of the other. Until a heartbeat has been answered from such an
// address, an INIT chunk from there is taken for another peer's. But Connect to the address finds
// the association that has listed it.
package endpoint
