package sctprpi

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/simulation"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// simulated is a job of two processes on a simulated network.
type simulated struct {
	*simulation.Job[*Transport]
}

// simulate starts a job and connects its processes, whose sockets tune may change.
func simulate(t *testing.T, o Options, c enginetest.Conditions, tune ...func(*socket.Config)) *simulated {
	design := simulation.Design[*Transport]{New: New, Release: func(tr *Transport) { user{tr}.Release() }}
	return &simulated{simulation.Start(t, design, o, c, tune...)}
}

// apart returns two tags whose messages take different streams if there are several.
func (s *simulated) apart() (a, b matching.Tag) {
	layout := s.Ranks[0].peers[1].streams
	stream := func(tag matching.Tag) socket.StreamID {
		return layout.of(header.Eager, tag, 0)
	}
	for b = 1; b < 100 && stream(b) == stream(a); {
		b++
	}
	return a, b
}
