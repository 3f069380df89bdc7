// Package record seals the messages of an association, for an SCTP that cannot seal its packets: the kernel's. Each message
// is a record of package seal:
//
//	stream 2 | epoch 2 | number 4 | counter 8 | message | tag 16
//
// The numbers of a stream's messages follow each other, from 0, modulo 2^32. So what opens is the next message of its stream:
// none has been changed, left out, repeated, moved to another stream or taken from another association. The counter, the
// nonce, is the direction's, whatever the stream. A message that the socket does not take is sealed anew, with the
// same number and the next counter.
//
// A key seals perKey records that the socket takes. Then both ends go on with the next one, which follows from the last one by a function that
// cannot be turned back. As streams overtake each other, the last key still opens.
//
// What SCTP itself sends can be seen, and be forged by a host on the path: numbers of streams, lengths, times, and all that
// makes and ends an association. Such a host can end an association, or stop it. It cannot have a rank take anything that
// the peer has not sent.
package record
