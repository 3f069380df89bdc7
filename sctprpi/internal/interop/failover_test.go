//go:build !race && linux

package interop

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// TestFailover is the cell failover of the matrix for each stack with itself.
func TestFailover(t *testing.T) {
	labtest.InLab(t)
	for _, pair := range []pair{
		{"engine_calls_engine", interoptest.Engine, interoptest.Engine},
		{"kernel_calls_kernel", interoptest.KernelOverIP, interoptest.KernelOverIP},
	} {
		t.Run(pair.name, func(t *testing.T) { failover(newSetting(t, pair, nil)) })
	}
}

// asTransport is how the MPI transport sets its sockets up (package sctprpi).
var asTransport = socket.Config{
	Scheduler: socket.Priority, RTOMax: 2 * time.Second, AssocRetransmissions: 8, PathRetransmissions: 4,
	Heartbeat: 5 * time.Second,
}

// failover: when the link of the primary path is cut in the middle of a transfer, that
// finishes over the other (RFC 9260, section 6.4). How long the receiver gets nothing is
// logged.
func failover(s *setting) {
	s.impair("delay 5ms rate 50mbit limit 200")
	caller, called := s.joined(asTransport, 0, 1)
	confirmed(caller, called)
	var messages []interoptest.Message
	total := 0
	for i := range 64 {
		messages = append(messages, interoptest.NewMessage(i%8, 64<<10))
		total += 64 << 10
	}
	received, cut := 0, false
	last, longest := time.Now(), time.Duration(0)
	called.OnData = func(e *socket.Event) {
		longest, last = max(longest, time.Since(last)), time.Now()
		if received += len(e.Payload); received >= total/2 && !cut {
			cut = true
			assert.NoError(s, s.link(0, "loss 100%"))
		}
	}
	caller.Queue(messages...)
	interoptest.Together(s,
		func() error { return caller.Await("room to send", caller.Sent) },
		func() error {
			return called.Await("the rest", func() bool { return len(called.Messages) >= len(messages) })
		},
	)
	interoptest.RequireSame(s, messages, called.Messages)
	s.Logf("longest pause when the primary link was cut: %v", longest.Round(time.Millisecond))
	require.NoError(s, caller.Shutdown(caller.ID))
	requireClosed(s, caller, called)
}
