package enginelink

import (
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/link"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// sendBuffer has room for some of the longest messages, so that one follows the other
// without a gap.
const sendBuffer = 16 << 20

func open(o link.Options) (socket.Socket, error) {
	return engine.Listen(engine.Config{
		Config:     socket.Config{SendBuffer: sendBuffer},
		NoChecksum: o.NoChecksum,
	})
}
