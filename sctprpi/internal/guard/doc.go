// Package guard seals the datagrams between the embedded engine's sockets: it is their socket.Guard. Records and keys are
// those of package seal.
//
// # Datagrams
//
//	0        version and flags: control, mode, suite
//	1..3     epoch
//	4..19    ID of the sender's socket
//	20..27   counter of the sealer
//	28..     the packet, or what the guards say to each other; then the tag of 16 bytes
//
// The 28 bytes in front are readable and authenticated. A datagram is for one receiver, whose ID is in the derivation of
// the key.
//
// # Sessions
//
// There is a session for each ID of a peer, as long as the Guard. It is made when the peer's Identity has been looked up
// (Know), or by the first datagram of an unknown ID that opens. To try one takes as long as the opening of some dozen
// others. So it is not tried unless its ID is marked (seal.Marker): what makes up IDs gets no further. What has seen one on the way does, so
// a budget bounds how many are tried; peers that are known have budgets of their own. Only Guard.session makes the sealer of a session's first epoch, once, and no
// other code makes one of a key that has had one: so no nonce is used twice.
//
// The socket sends to addresses. An address leads to the session that has published it, else to the one whose datagram has
// come from there last. So a peer behind an address translator is answered, and strangers change nothing.
//
// What opens may be a copy that was faster than the original, sent by what can hear it, from anywhere. So Open says who has sealed a
// datagram, which is what counts, and where that peer is to be answered: at home, the first address that it has published. Of a peer that has
// not been looked up that is not known; when its datagrams come from several addresses, the guard asks for it. The guard
// itself sends only where the socket does, which validates its paths.
//
// # Epochs
//
// Keys of epoch 0 follow from the token. In mode Encrypt the end with the lower ID begins a handshake for the next epoch
// with the first datagram, and again after some time or many datagrams; in mode Auth, whose content is no secret, only after
// many datagrams. Its two messages are the content of control datagrams. The initiator repeats its message, at growing
// intervals, when it sends something else: an idle session is left alone.
//
//	initiator                                    responder
//	request, with the keys of epoch n       →
//	                                        ←    answer, with what is sent next and the keys of n; opens n and n+1
//	seals with n+1, opens n and n+1         →
//	                                        ←    seals with n+1
//
// Each end opens datagrams of epoch n for 3 s after the first one of epoch n+1.
package guard
