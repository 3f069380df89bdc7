package tx

import (
	"cmp"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Defaults of Config.
const (
	DefaultSendBuffer  = 4 << 20
	DefaultMaxBurst    = 10
	DefaultMaxAckDelay = 200 * time.Millisecond
)

// Config is what a Sender is made with. It comes from the association's set-up
// and the user's options; an option that is 0 has its default.
type Config struct {
	// InitialTSN is the TSN of the first chunk, and Streams how many outbound
	// streams there are, 1 to 65,535; a stream takes memory when it is first
	// used, about 140 bytes, 140 more with a StreamLimit, and 512 for 64 of them.
	InitialTSN wire.TSN
	Streams    int
	// PeerWindow is the a_rwnd of the peer's INIT or INIT ACK chunk, in bytes;
	// 0 is a closed window.
	PeerWindow uint32
	// Interleaving makes chunks I-DATA chunks and lets messages of different
	// streams mix. Both peers must have agreed to it.
	Interleaving bool
	// StreamLimit is the peer's, if both ends have agreed to keep to each other's: a
	// stream sends while less than that is unread at the peer, as Granted tells. See
	// the package.
	StreamLimit wire.StreamLimit
	Scheduler   socket.Scheduler
	// Multipath lets new data go on several paths at once: see the package. Both
	// peers must have agreed to it.
	Multipath bool
	// ECN makes packets markable: see MarkController. Both peers must have agreed to it.
	ECN bool
	// SendBuffer bounds what is queued and not yet acknowledged cumulatively,
	// in bytes of messages, each charged with 256 more for keeping it. With
	// Interleaving a message with socket.Message.ZeroCopy takes these 256
	// alone, and may have any length. The default is 4 MiB.
	SendBuffer int
	// MaxBurst is how many packets may go out at once beyond what SACKs let
	// out. The default, 10, is TCP's initial window (RFC 6928); RFC 9260
	// recommends 4, which makes a message of the middle sizes take a round
	// trip more.
	MaxBurst int
	// MaxAckDelay is how long the peer may delay a SACK. The default is the
	// 200 ms of RFC 9260. Higher makes the loss of a lone packet be found
	// later, lower may cause a needless retransmission.
	MaxAckDelay time.Duration
	// RTO bounds each path's retransmission timeout.
	RTO RTOConfig
	// Copy copies a message of size bytes without socket.Message.ZeroCopy, and
	// returns the copy and its owner. Without it all sends are zero-copy.
	Copy func(data [][]byte, size int) (list [][]byte, owner any)
	// NewController makes the congestion control of a path, whose largest DATA
	// chunk is given. The default is NewCubic.
	NewController func(maxChunk int) Controller
}

func (c *Config) setDefaults() error {
	c.SendBuffer = cmp.Or(c.SendBuffer, DefaultSendBuffer)
	c.MaxBurst = cmp.Or(c.MaxBurst, DefaultMaxBurst)
	c.MaxAckDelay = cmp.Or(c.MaxAckDelay, DefaultMaxAckDelay)
	if c.NewController == nil {
		c.NewController = NewCubic
	}
	switch {
	case c.Streams < 1 || c.Streams > 65_535:
		return fmt.Errorf("tx: %d outbound streams, must be 1 to 65,535", c.Streams)
	case c.Scheduler > socket.Weighted:
		return fmt.Errorf("tx: unknown stream scheduler %d", c.Scheduler)
	case c.SendBuffer < 0 || c.SendBuffer > maxWindow:
		return fmt.Errorf("tx: send buffer of %d bytes, must be at most %d", c.SendBuffer, maxWindow)
	case c.MaxBurst < 0 || c.MaxBurst > 1<<16:
		return fmt.Errorf("tx: burst of %d packets, must be at most 65,536", c.MaxBurst)
	case c.MaxAckDelay < 0:
		return fmt.Errorf("tx: SACK delay of %v, must not be negative", c.MaxAckDelay)
	}
	return c.RTO.setDefaults()
}
