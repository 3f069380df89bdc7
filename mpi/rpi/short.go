package rpi

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Short is a message in standard mode that may be sent or received without a Request: see ShortWay. Its fields are those of a Request.
type Short struct {
	Context matching.Context
	Peer    matching.Rank
	Tag     matching.Tag
	Type    matching.Type
	Elem    int
	Buf     []byte
	// Others, of one that is sent: the caller does not wait for anything, so others may follow at once. A message that should share a packet with them is left to
	// a Request.
	Others bool
}

// ShortWay is a Transport with a short way for messages that can leave at once, and for those that arrive while a goroutine looks for them.
type ShortWay interface {
	// TrySend sends a message, and reports whether it has. It has if the message is short, nothing is in its way, and the peer is
	// connected and alive, and has room for it; then Buf may be used again. Otherwise nothing has happened, and the message needs a
	// Request, which also finds out what is wrong. It never blocks.
	TrySend(m Short) bool
	// TryRecv looks for a message of one TRC, as long as a goroutine that waits looks before it blocks, and reports whether it has received it.
	// It has if the message is short, of that Type, not longer than Buf, and the next one that a receive posted now would get. Otherwise nothing has happened,
	// and a Request is needed, whose Looked is to be what is returned. It ends soon after ctx has.
	TryRecv(ctx context.Context, m Short) (s Status, looked time.Duration, received bool)
}
