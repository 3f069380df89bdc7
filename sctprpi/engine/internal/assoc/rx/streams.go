package rx

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/streams"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// streamTable holds the inbound streams by number.
type streamTable struct{ streams.Table[stream] }

// use returns the stream of that number, or nil if it does not exist.
func (t *streamTable) use(id socket.StreamID) *stream {
	s, fresh := t.Use(id)
	if fresh {
		s.id = id
	}
	return s
}
