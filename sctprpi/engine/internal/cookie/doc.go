// Package cookie makes and opens the state cookies of SCTP's four-way handshake
// (RFC 9260, section 5.1.3). An endpoint that answers an INIT keeps nothing of it:
// all that it will have to know is in the cookie that the INIT ACK takes to the
// peer, and COOKIE ECHO brings it back. A flood of INITs thus costs a signature
// each, no memory.
//
// A cookie is signed, not encrypted: the peer, and any host on the path, can read it. A State tells
// them no secret as long as the tie-tags are random numbers instead of an association's
// verification tags (section 1.4).
//
// What opens was signed here, is whole and not too old. That the packet which
// brought it carries the tag and the ports that the State has is left to the
// caller (section 5.1.5, step 3), as are the rules for a peer with which there
// is an association already (section 5.2.4).
//
// Time is what has passed since an epoch of the caller's. Nothing here is safe for
// concurrent use.
package cookie
