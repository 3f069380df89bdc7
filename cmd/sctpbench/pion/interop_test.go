package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/pion/sctp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// caseLimit is the longest time of one case. A case takes some 20 seconds, in which pion recovers
// from losses.
const caseLimit = 2 * time.Minute

// sctpPort is the SCTP port of pion, which cannot be changed.
const sctpPort = 5000

// TestInteroperability sends messages of all sizes over many streams in both directions between
// the engine and pion, through a network that loses and reorders packets. All must arrive as they
// were sent, and in order on each stream. In the end one side shuts the association down.
func TestInteroperability(t *testing.T) {
	for _, c := range []struct {
		name                      string
		engineBegins, interleaved bool
	}{
		{"the engine begins", true, false},
		{"pion begins", false, false},
		{"the engine begins, interleaving messages (RFC 8260)", true, true},
		{"pion begins, interleaving messages (RFC 8260)", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel() // most of the time pion waits for its timers
			ctx, cancel := context.WithTimeoutCause(t.Context(), caseLimit, errors.New("the case hangs"))
			defer cancel()
			ours, theirs, network := associate(ctx, t, c.engineBegins, c.interleaved)
			t.Cleanup(func() { ours.report(t) })
			up, down := newTraffic(1), newTraffic(2)
			sending, sent := context.WithCancel(ctx)
			all(ctx, t,
				func() error { defer sent(); return ours.send(ctx, up) },
				func() error { return ours.receive(ctx, sending, down) },
				func() error { return theirs.send(down) },
				func() error { return theirs.receive(up) },
			)
			status, err := ours.socket.Status(ours.id)
			require.NoError(t, err)
			assert.Equal(t, c.interleaved, status.Interleaving)
			assert.NotZero(t, status.Retransmissions, "the network was too good")
			t.Logf("%d packets sent, %d received, %d of %d chunks sent again, %d timeouts", status.PacketsSent,
				status.PacketsReceived, status.Retransmissions, status.ChunksSent, status.Timeouts)
			if c.engineBegins {
				require.NoError(t, ours.socket.Shutdown(ours.id))
			} else {
				// Once pion has sent its SHUTDOWN COMPLETE it is gone, and answers no SHUTDOWN ACK that is sent again.
				network.calm.Store(true)
				require.NoError(t, theirs.association.Shutdown(ctx))
			}
			end, err := ours.closed(ctx)
			require.NoError(t, err)
			t.Logf("ended by %v: %v", end.Kind, end.Err)
		})
	}
}

// associate sets up an association through a bad network.
func associate(ctx context.Context, t *testing.T, engineBegins, interleaved bool) (*ours, *theirs, *relay) {
	t.Helper()
	s, err := engine.Listen(engine.Config{Port: sctpPort, Config: socket.Config{Interleaving: interleaved}})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	udp, err := listenUDP()
	require.NoError(t, err)
	local := s.LocalAddrs()[0]
	r := newRelay(t, netip.AddrPortFrom(local.IP, local.UDP), address(udp), 7)

	o := &ours{socket: s, writable: make(chan struct{}, 1)}
	config := sctp.Config{NetConn: &conn{udp, r.atPion}, BlockWrite: true, MaxMessageSize: maxSize}
	p := new(theirs)
	set := make(chan error, 1)
	begin := func() (*sctp.Association, error) { return sctp.ClientContext(ctx, config) }
	if engineBegins {
		begin = func() (*sctp.Association, error) { return sctp.ServerWithOptions(config) }
	}
	go func() {
		var err error
		p.association, err = begin()
		set <- err
	}()
	if engineBegins {
		o.id, err = s.Connect(socket.Addr{IP: r.atEngine.Addr(), Port: sctpPort, UDP: r.atEngine.Port()})
		require.NoError(t, err)
	}
	require.NoError(t, o.established(ctx))
	select {
	case err := <-set:
		require.NoError(t, err)
	case <-ctx.Done():
		require.NoError(t, errors.Join(context.Cause(ctx), udp.Close()))
	}
	// Without a deadline the calls of pion could block without end.
	t.Cleanup(func() { _ = p.association.Close() })
	context.AfterFunc(ctx, func() { _ = p.association.Close() })
	for i := range p.streams {
		p.streams[i], err = p.association.OpenStream(uint16(i), sctp.PayloadTypeWebRTCBinary)
		require.NoError(t, err)
	}
	return o, p, r
}

// all calls functions at the same time. None may fail.
func all(ctx context.Context, t *testing.T, tasks ...func() error) {
	t.Helper()
	done := make(chan error, len(tasks))
	for _, task := range tasks {
		go func() { done <- task() }()
	}
	for range tasks {
		select {
		case err := <-done:
			require.NoError(t, err)
		case <-ctx.Done():
			require.NoError(t, context.Cause(ctx))
		}
	}
}

// theirs is pion's end.
type theirs struct {
	association *sctp.Association
	streams     [streams]*sctp.Stream
}

func (p *theirs) send(t traffic) error {
	for i, m := range t {
		if _, err := p.streams[m.stream].Write(m.content); err != nil {
			return fmt.Errorf("pion sends message %d: %w", i, err)
		}
	}
	return nil
}

func (p *theirs) receive(t traffic) error {
	done := make(chan error, streams)
	for i, expected := range t.of() {
		go func() { done <- read(p.streams[i], expected) }()
	}
	for range streams {
		if err := <-done; err != nil {
			return fmt.Errorf("pion receives: %w", err)
		}
	}
	return nil
}

func read(s *sctp.Stream, expected traffic) error {
	buffer := make([]byte, maxSize)
	for c := (check{rest: expected}); len(c.rest) > 0; {
		n, err := s.Read(buffer)
		if err != nil {
			return fmt.Errorf("stream %d, when %d messages were missing: %w", s.StreamIdentifier(), len(c.rest), err)
		}
		if err := c.piece(buffer[:n], true, true); err != nil {
			return err
		}
	}
	return nil
}
