package sockettest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// patient notices a loss soon, but gives up late.
var patient = socket.Config{
	RTOInitial: 30 * time.Millisecond, RTOMin: 20 * time.Millisecond, RTOMax: 100 * time.Millisecond,
	PathRetransmissions: 200, AssocRetransmissions: 200, InitRetransmissions: 200,
}

// enduring gives up later still, also a shutdown.
var enduring = func() socket.Config {
	c := patient
	c.PeerTimeout = time.Minute
	return c
}()

// brittle is set up in spite of everything, and then lost at the first silence.
var brittle = func() socket.Config {
	c := hasty
	c.InitRetransmissions = patient.InitRetransmissions
	return c
}()

var lossTests = []test{
	{rule: "packets lost, doubled and overtaken leave messages as they are", needs: []need{encapsulation}, run: func(s *suite) {
		a, b, r := s.relayed(patient)
		r.shake(1)
		sent := append(append(bySize(9), series(3, 100, 5000)...), unordered(4, 30, 5000)...)
		s.exchange(a, b, loans(sent), copies(sent))
		a.requireReceived(sent)
		b.requireReceived(sent)
	}},
	{rule: "associations begin and end over bad paths", needs: []need{encapsulation}, run: func(s *suite) {
		for seed := range uint64(10) {
			x, y := s.open(enduring), s.open(enduring)
			r := s.relay(y.LocalAddrs()[0])
			r.shake(seed)
			a := x.connect(via(y.LocalAddrs()[0], r.left))
			sent := series(0, 10, 2000)
			a.mustSend(loans(sent)...)
			b := y.only()
			b.untilReceived(len(sent))
			b.requireReceived(sent)
			require.NoError(s, y.Shutdown(b.id))
			require.Equal(s, "Closed", kindName(a.untilEnd().Kind))
			require.Equal(s, "Closed", kindName(b.untilEnd().Kind))
			x.end()
			y.end()
		}
	}},
	{rule: "a silence that ends is survived", needs: []need{encapsulation}, run: func(s *suite) {
		a, b, r := s.relayed(patient)
		r.cut()
		sent := series(0, 100, 2000)
		a.mustSend(loans(sent)...)
		b.mustSend(loans(sent)...)
		for deadline := time.Now().Add(s.patience); a.status().Timeouts < 3; {
			require.True(s, time.Now().Before(deadline), "no timeout")
			a.e.linger(time.Millisecond)
		}
		r.mend()
		s.together(
			func() error { return a.awaitReceived(len(sent)) },
			func() error { return b.awaitReceived(len(sent)) },
		)
		a.requireReceived(sent)
		b.requireReceived(sent)
	}},
	{rule: "a peer that falls silent is Lost", needs: []need{encapsulation}, run: func(s *suite) {
		a, b, r := s.relayed(brittle)
		r.cut()
		if _, err := a.send(loans(series(0, 100, 10<<10))...); err != nil {
			require.ErrorIs(s, err, socket.ErrAssoc) // it is over already
		}
		end := a.untilEnd()
		require.Equal(s, "Lost", kindName(end.Kind))
		require.ErrorIs(s, end.Err, socket.ErrUnreachable)
		if s.features.ZeroCopy {
			for _, rel := range a.released {
				assert.Contains(s, []socket.Outcome{socket.Unsent, socket.Unacknowledged}, rel.outcome)
			}
		}
		// The other one, which has nothing to send, finds out by heartbeats.
		end = b.untilEnd()
		require.Equal(s, "Lost", kindName(end.Kind))
		require.ErrorIs(s, end.Err, socket.ErrUnreachable)
	}},
	{rule: "a shutdown of which the peer hears nothing comes to an end", needs: []need{encapsulation}, run: func(s *suite) {
		a, b, r := s.relayed(brittle)
		r.cut()
		require.NoError(s, a.e.leave(a))
		// The retransmissions run out, or T5-shutdown-guard does (RFC 9260, section 9.2).
		require.Contains(s, []string{"Lost", "Aborted"}, kindName(a.untilEnd().Kind))
		require.Equal(s, "Lost", kindName(b.untilEnd().Kind))
	}},
}
