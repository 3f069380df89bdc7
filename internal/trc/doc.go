// Package trc is what transports without a message progression layer have in common. It is for transports, not for
// programs. Messages of one TRC (tag, rank, context) have a channel of their own: a TCP connection, or an SCTP stream.
// The channel keeps them in order, and holds those that no receive has taken: it is the queue of unexpected messages,
// and its flow control is the only one.
//
// Of each channel the layer knows the message at the head: its envelope has been read, which is what matching and
// probes need. The body stays in the channel until a receive has matched, and then goes straight into the user's
// buffer. So a process holds, for each TRC, a list of posted receives and at most one envelope; package matching
// keeps both, and the ordering rule for wildcards.
//
// What cannot travel on a channel goes between the peers as a Note: that a synchronous send has matched, that a
// message is wanted back, that no receive will ever take it.
//
// A message at the head of its channel is in the way of those behind it. If a matched probe has taken it, if it belongs
// to another collective operation than the one that a receive waits for, or if its sender needs the channel
// (Layer.Clear), the layer takes it out of the channel (stashes it), up to rpi.Config.UnexpectedLimit.
//
// Like the message progression layer, a Layer does no I/O and takes no locks. The transport, its Carrier, serialises
// all calls with one lock.
package trc
