package sctprpi

import (
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Buffers of an association, in bytes. They are bounds, not allocations: what is
// queued to be sent lies where the user has it, and what arrives is taken at once, so
// that the receive buffer fills only with what waits for a lost packet. They bound the
// flow: long messages have half of the send buffer under way, 640 Mbit/s over 100 ms.
const (
	sendBuffer    = 16 << 20
	receiveBuffer = 8 << 20
	// strangerBuffer is the receive buffer of an association until the peer has proven
	// that it knows the token. The handshake takes less than a kilobyte.
	strangerBuffer = 64 << 10
)

// A peer that dies without a word is found out by Config.PeerTimeout, an attempt to connect
// to nobody by Config.ConnectTimeout. Where the host says that nobody has the port it takes
// half a second, which is refusals attempts, and a tenth. A path that does not answer is left
// after pathTries timeouts, if there is another. The timers are shorter when the time-out is
// short, so that a few packets may get lost within it.
const (
	rtoInitial  = 200 * time.Millisecond // until the first round trip has been measured
	rtoMin      = 50 * time.Millisecond
	rtoMax      = 2 * time.Second
	heartbeat   = 5 * time.Second
	refusals    = 8
	pathTries   = 4
	strangers   = 64 // see doc.go
	sparePeers  = 2  // associations that a peer and we may make at the same time, or one after the other
	messageCost = 1 << 10

	// maxInitTries is the most that Linux can be told, which ConnectTimeout cuts short.
	maxInitTries = 1<<16 - 1
)

// config is how the socket is set up.
func config(cfg rpi.Config, o Options) socket.Config {
	// An eager message is one SCTP message, which must fit the send buffer,
	// beside the bodies of long ones.
	eager := min(int64(cfg.EagerLimit), progression.Share(cfg)) + matching.EnvelopeSize + messageCost
	longest := min(rtoMax, max(cfg.PeerTimeout/16, rtoMin))
	return socket.Config{
		Streams:               o.Streams,
		SendBuffer:            int(max(sendBuffer, 2*eager)),
		ReceiveBuffer:         receiveBuffer,
		Interleaving:          o.Interleave,
		Scheduler:             socket.Priority,
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
		MaxUnauthenticated:    cfg.Size + strangers,
		UnauthenticatedBuffer: strangerBuffer,
	}
}

// listen opens the socket at the first port of the range that is free.
func listen(cfg rpi.Config, o Options) (socket.Socket, error) {
	if cfg.Bind.IsUnspecified() {
		return nil, fmt.Errorf("cannot bind to %v: peers need an address of this host that they can reach", cfg.Bind)
	}
	var err error
	for port := int(cfg.PortLow); port <= int(cfg.PortHigh); port++ {
		var s socket.Socket
		if s, err = o.Listen(config(cfg, o), cfg.Bind, uint16(port)); err == nil {
			return s, nil
		}
	}
	return nil, cfg.CannotListen(err)
}
