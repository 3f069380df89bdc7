package enginelink

import (
	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// sendBuffer has room for some of the longest messages, so that the next one is ready when a
// message has left.
const sendBuffer = 16 << 20

func open(o link.Options) (*engine.Core, error) {
	return engine.Open(engine.Config{
		Config:     socket.Config{SendBuffer: sendBuffer},
		NoChecksum: o.NoChecksum,
	})
}
