package endpoint

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// TestTheShortWayIsNotSeen plays random conversations by the short ways, of a message and of a packet that is quiet, and by the
// general ones. The network, the user and the timers must see the same of both.
func TestTheShortWayIsNotSeen(t *testing.T) {
	lone, quiet := 0, 0
	for seed := range uint64(360) {
		short, sent, received := converse(t, seed+1, true)
		general, _, _ := converse(t, seed+1, false)
		for i := range min(len(short), len(general)) {
			require.Equal(t, general[i], short[i], "seed %d", seed+1)
		}
		require.Equal(t, len(general), len(short), "seed %d", seed+1)
		lone, quiet = lone+sent, quiet+received
	}
	require.Greater(t, lone, 1000)
	require.Greater(t, quiet, 1000)
}

// converse has two parties send each other messages at random times, and returns what has happened, and how many were sent, and how
// many packets received, the short way, if that may be taken.
func converse(t *testing.T, seed uint64, short bool) (log []string, lone, quiet int) {
	s := newScenario(t, seed)
	note := func(p *party, format string, args ...any) {
		log = append(log, fmt.Sprintf("%v %v: ", s.net.Now(), p.addrs[0])+fmt.Sprintf(format, args...))
	}
	for _, p := range s.ends {
		p.on = func(e *socket.Event) {
			p.assoc = e.Assoc
			if e.Kind == socket.Up {
				p.ups++
			}
			note(p, "event %v of stream %d: %x", e.Kind, e.Stream, e.Payload)
		}
		p.received = func() {
			switch {
			case !short:
				for _, en := range p.byID {
					p.touch(en)
				}
			case !p.Sending():
				quiet++
			}
		}
		p.filter = func(b []byte) bool {
			deadline, runs := p.Endpoint.Deadline()
			note(p, "packet %s %x, deadline before it %v %v", describe(b), b, deadline, runs)
			return true
		}
	}
	s.outages()
	s.ends[0].connect()
	s.until("both are up", func() bool { return s.ends[0].ups > 0 && s.ends[1].ups > 0 })
	streams := s.ends[0].status().Outbound
	streams = min(streams, s.ends[1].status().Outbound)
	at := s.net.Now()
	for range 100 {
		if s.IntN(3) > 0 {
			at += time.Duration(s.IntN(1 << (10 + s.IntN(20))))
		}
		if s.IntN(20) == 0 { // the search for a larger MTU goes on
			at += time.Duration(s.IntN(int(20 * time.Minute)))
		}
		p, m := s.ends[s.IntN(2)], s.lone(streams)
		s.net.At(at, func() {
			if short && p.SendLone(s.net.Now(), p.assoc, []socket.Message{m}, &p.batch) {
				p.sendBatch()
				lone++
			} else if _, err := p.Send(s.net.Now(), p.assoc, []socket.Message{m}); err != nil {
				note(p, "refused: %v", err)
			}
			p.run(s.net.Now())
			deadline, runs := p.Endpoint.Deadline()
			note(p, "deadline %v %v, %+v", deadline, runs, p.status())
		})
		if s.IntN(10) == 0 {
			stream, value := socket.StreamID(s.IntN(streams)), uint16(s.IntN(5))
			s.net.At(at, func() { require.NoError(t, p.SetStreamValue(p.assoc, stream, value)) })
		}
	}
	s.net.Run(at+time.Minute, func() bool { return false })
	for _, p := range s.ends {
		note(p, "in the end %+v", p.status())
	}
	return log, lone, quiet
}

// lone draws a message, most often a short one.
func (s *scenario) lone(streams int) socket.Message {
	size := 1 + s.IntN(64)
	if s.IntN(4) == 0 {
		size = s.IntN(1 << (8 + s.IntN(6)))
	}
	data := bytes.Repeat([]byte{byte(s.IntN(256))}, size)
	m := socket.Message{
		Stream: socket.StreamID(s.IntN(streams)), PPID: socket.PPID(s.Uint32()), Data: [][]byte{data[:size/3], data[size/3:]},
		Unordered: s.IntN(6) == 0, Immediate: s.IntN(6) == 0, ZeroCopy: s.IntN(3) == 0,
	}
	if s.IntN(6) == 0 {
		m.Lifetime = time.Duration(s.IntN(1 << 28))
	}
	return m
}

func (p *party) status() socket.Status {
	status, err := p.Status(p.assoc)
	if err != nil {
		return socket.Status{}
	}
	return status
}
