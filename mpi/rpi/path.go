package rpi

import (
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Path is what a transport knows of its connection with a peer over the network.
type Path struct {
	Peer matching.Rank
	// RoundTrip is the smoothed round trip of the path that is in use, 0 if it has not been measured yet.
	RoundTrip time.Duration
	// Resent is how many packets, or DATA chunks of SCTP, this connection has sent once more.
	Resent uint64
}

// Surveyed is a Transport that knows more of its connections.
type Surveyed interface {
	// Paths returns what is known of those that are open, the lowest peer first. Peers that share memory have none. It visits each
	// peer, so do not call it often.
	Paths() []Path
}
