package tx

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/streams"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// streamTable holds the outbound streams by number.
type streamTable struct{ streams.Table[stream] }

// use returns the stream of that number, which must exist.
func (t *streamTable) use(id socket.StreamID) *stream {
	s, fresh := t.Use(id)
	if fresh {
		s.id, s.slot = id, -1
	}
	return s
}
