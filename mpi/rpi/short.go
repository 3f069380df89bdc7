package rpi

import "github.com/sctpmpi/sctpmpi/matching"

// Short is a message in standard mode that may be sent without a Request: see ShortSender. Its fields are those of a Request.
type Short struct {
	Context matching.Context
	Peer    matching.Rank
	Tag     matching.Tag
	Type    matching.Type
	Elem    int
	Buf     []byte
	// Others: the caller does not wait for anything, so others may follow at once. A message that should share a packet with them is left to
	// a Request.
	Others bool
}

// ShortSender is a Transport with a short way for messages that can leave at once.
type ShortSender interface {
	// TrySend sends a message, and reports whether it has. It has if the message is short, nothing is in its way, and the peer is
	// connected and alive, and has room for it; then Buf may be used again. Otherwise nothing has happened, and the message needs a
	// Request, which also finds out what is wrong. It never blocks.
	TrySend(m Short) bool
}
