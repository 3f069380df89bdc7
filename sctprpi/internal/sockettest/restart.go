package sockettest

import (
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// RFC 9260, section 5.2.4.
var restartTests = []test{
	{rule: "a peer that has lost the association and comes again is Restarted", needs: []need{encapsulation, rebind, zeroCopy}, run: func(s *suite) {
		a, b, r := s.relayed(patient)
		a.mustSend(numbered(0, 0, 10).lent())
		b.untilReceived(1)
		a.untilReleased()

		// Of what the old association still sends the new peer must not hear,
		// which would answer with an abort.
		r.cut()
		b.e.close()
		again := s.adopt(s.features.Rebind(s, patient, b.e.LocalAddrs()[0]), patient)
		r.onlySetup()
		c := again.connect(via(a.e.LocalAddrs()[0], r.right))
		c.until("Up", func() bool { return c.up })
		a.until("Restarted", func() bool { return a.seen[socket.Restarted] > 0 })
		r.mend()
		require.Equal(s, 1, a.seen[socket.Up])
		require.Len(s, a.e.order, 1)

		// It has the same ID, and begins anew.
		requireConversation(s, a, c)
		require.True(s, a.status().Established)
	}},
}
