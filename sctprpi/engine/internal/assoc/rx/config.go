package rx

import (
	"cmp"
	"fmt"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// Limits of Config.
const (
	DefaultBuffer = 4 << 20
	MinBuffer     = 64 << 10
	MaxBuffer     = 1 << 30
)

const maxStreams = 65_535

// Config is what a Reassembly is made with. It comes from the association's set-up
// and the user's options.
type Config struct {
	// InitialTSN is the peer's.
	InitialTSN wire.TSN
	// Streams is how many inbound streams there are, 1 to 65,535. A stream takes
	// memory when it is first used: up to 520 bytes, and 512 for 64 of them.
	Streams int
	// Interleaving says that chunks are I-DATA chunks, and PartialReliability
	// that the peer may abandon messages. Both peers must have agreed.
	Interleaving       bool
	PartialReliability bool
	// Whole makes messages be delivered when they are complete, all pieces in a
	// row. Then messages in part must fit the receive buffer: when it is full
	// of them the association fails with ErrTooLong. Otherwise each piece is
	// delivered as soon as all before it are.
	Whole bool
	// Buffer bounds what is held, in bytes, each chunk counted as 256 at least
	// on average. The default is 4 MiB, at most it is 1 GiB. To exceed it there
	// is one way, by few chunks: see Reassembly.
	Buffer int
	// StreamLimit is how many bytes a stream may hold before it narrows the
	// receive window by more than what it holds: see Reassembly.Window. 0 is
	// no limit.
	StreamLimit int
	// StreamBase and StreamPool are how much streams may hold together, if the
	// peer keeps to it: see streams.Pool. 0 and 0 is no pool.
	StreamBase, StreamPool int
	// Credit says that the peer keeps to StreamLimit and StreamPool, each chunk counted as 256
	// bytes at least, if it is told what is read: see AppendCredits. Then the
	// receive window narrows by what is held and no more. Both peers must have
	// agreed.
	Credit bool
}

func (c *Config) setDefaults() error {
	c.Buffer = cmp.Or(c.Buffer, DefaultBuffer)
	switch {
	case c.Streams < 1 || c.Streams > maxStreams:
		return fmt.Errorf("rx: %d inbound streams, must be 1 to 65,535", c.Streams)
	case c.Buffer < MinBuffer || c.Buffer > MaxBuffer:
		return fmt.Errorf("rx: receive buffer of %d bytes, must be %d to %d", c.Buffer, MinBuffer, MaxBuffer)
	case c.StreamPool < 0 || c.StreamBase < 0:
		return fmt.Errorf("rx: stream pool of %d bytes and base of %d, must not be negative", c.StreamPool, c.StreamBase)
	case c.StreamLimit < 0:
		return fmt.Errorf("rx: stream limit of %d bytes, must not be negative", c.StreamLimit)
	}
	return nil
}

// Enlarge makes the receive buffer larger, to a size that Config may have.
func (r *Reassembly) Enlarge(buffer int) { r.config.Buffer = max(buffer, r.config.Buffer) }
