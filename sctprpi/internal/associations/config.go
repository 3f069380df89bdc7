package associations

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Buffers of an association, in bytes. They are bounds, not allocations: messages to be sent stay
// in the user's memory, and messages that arrive are handled at once, so that the receive buffer
// fills only with data behind a lost packet. The bounds also limit the throughput: long messages
// have half of the send buffer in flight, 640 Mbit/s over 100 ms.
const (
	sendBuffer    = 16 << 20
	receiveBuffer = 8 << 20
	// unauthenticatedBuffer is the receive buffer of an association until the peer has proven
	// that it knows the token. The handshake takes less than a kilobyte.
	unauthenticatedBuffer = 64 << 10
)

// A peer that dies without notice is detected within Config.PeerTimeout. An attempt to connect to a
// peer that does not exist ends after Config.ConnectTimeout. If the peer's host reports the port
// unreachable, a dead peer is detected in half a second, after refusals reports, and an attempt to
// connect ends in a tenth of a second. A path that does not answer is left after pathTries
// timeouts, if there is another. The timers are shorter if the time-out is short, so that some
// packets may be lost within it.
const (
	rtoInitial         = 200 * time.Millisecond // until the first round trip has been measured
	rtoMin             = 50 * time.Millisecond
	rtoMax             = 2 * time.Second
	heartbeat          = 5 * time.Second
	refusals           = 8
	pathTries          = 4
	maxUnauthenticated = 64 // see doc.go
	sparePeers         = 2  // associations that both ends may make at the same time, or one after the other

	// maxInitTries is the greatest value that Linux accepts. ConnectTimeout ends the attempts
	// earlier.
	maxInitTries = 1<<16 - 1
)

// SocketConfig returns the configuration of a socket. The transport may change it before it passes
// it to New. cfg is what Defaults returns.
func SocketConfig(cfg rpi.Config, o Options) (socket.Config, error) {
	o.Streams = cmp.Or(o.Streams, DefaultStreams)
	if o.Streams < 1 || o.Streams > maxStreams {
		return socket.Config{}, fmt.Errorf("%w: %d streams, must be 1 to %d", rpi.ErrArg, o.Streams, maxStreams)
	}
	longest := min(rtoMax, max(cfg.PeerTimeout/16, rtoMin))
	return socket.Config{
		Streams:               o.Streams,
		SendBuffer:            sendBuffer,
		ReceiveBuffer:         receiveBuffer,
		Interleaving:          o.Interleave,
		Congestion:            o.Congestion,
		Multipath:             o.Multipath,
		ECN:                   !o.NoECN,
		RTOInitial:            min(rtoInitial, longest),
		RTOMin:                rtoMin,
		RTOMax:                longest,
		PeerTimeout:           cfg.PeerTimeout,
		AssocRetransmissions:  refusals,
		PathRetransmissions:   pathTries,
		InitRetransmissions:   int(min(cfg.ConnectTimeout/rtoInitial, maxInitTries)),
		Heartbeat:             min(heartbeat, max(cfg.PeerTimeout/8, rtoMin)),
		SparseAcks:            true,
		MaxAssociations:       sparePeers * cfg.Size,
		MaxUnauthenticated:    cfg.Size + maxUnauthenticated,
		UnauthenticatedBuffer: unauthenticatedBuffer,
	}, nil
}

// listen opens the socket at the first port of the range that is free.
func listen(cfg rpi.Config, o Options, c socket.Config) (socket.Core, error) {
	if i := slices.IndexFunc(cfg.Bind, netip.Addr.IsUnspecified); i >= 0 {
		return nil, fmt.Errorf("cannot bind to %v: peers need an address of this host that they can reach", cfg.Bind[i])
	}
	open := o.Listen
	if open == nil {
		open = ListenEngine
	}
	var err error
	for port := int(cfg.PortLow); port <= int(cfg.PortHigh); port++ {
		var s socket.Core
		if s, err = open(c, cfg.Bind, uint16(port)); err == nil {
			return s, nil
		}
	}
	return nil, cfg.CannotListen(err)
}
