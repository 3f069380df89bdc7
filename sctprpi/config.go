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
)

// A peer that dies without a word is found out after the retransmission timeout has
// run out so many times, doubling up to rtoMax: in about 12 s when there is something
// to send to it, and heartbeat later when there is not. An attempt to connect to
// nobody ends after about 13 s. It takes half a second, and a tenth, where the host says
// that nobody has the port.
const (
	rtoInitial  = 200 * time.Millisecond // until the first round trip has been measured
	rtoMax      = 2 * time.Second
	assocTries  = 8
	initTries   = 8
	heartbeat   = 5 * time.Second
	strangers   = 64 // see doc.go
	sparePeers  = 2  // associations that a peer and we may make at the same time
	messageCost = 1 << 10
)

// config is how the socket is set up.
func config(cfg rpi.Config, o Options) socket.Config {
	// An eager message is one SCTP message, which must fit the send buffer,
	// beside the bodies of long ones.
	eager := min(int64(cfg.EagerLimit), progression.Share(cfg)) + matching.EnvelopeSize + messageCost
	return socket.Config{
		Streams:              o.Streams,
		SendBuffer:           int(max(sendBuffer, 2*eager)),
		ReceiveBuffer:        receiveBuffer,
		Interleaving:         o.Interleave,
		Scheduler:            socket.Priority,
		RTOInitial:           rtoInitial,
		RTOMax:               rtoMax,
		AssocRetransmissions: assocTries,
		PathRetransmissions:  assocTries / 2,
		InitRetransmissions:  initTries,
		Heartbeat:            heartbeat,
		SparseAcks:           true,
		MaxAssociations:      sparePeers*cfg.Size + strangers,
	}
}

// listen opens the socket at the first port of the range that is free.
func listen(cfg rpi.Config, o Options) (socket.Socket, error) {
	if cfg.Bind.IsUnspecified() {
		return nil, fmt.Errorf("%s: cannot bind to %v: peers need an address of this host that they can reach", o.Name, cfg.Bind)
	}
	var err error
	for port := int(cfg.PortLow); port <= int(cfg.PortHigh); port++ {
		var s socket.Socket
		if s, err = o.Listen(config(cfg, o), cfg.Bind, uint16(port)); err == nil {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%s: cannot listen on %v, ports %d to %d: %w", o.Name, cfg.Bind, cfg.PortLow, cfg.PortHigh, err)
}
