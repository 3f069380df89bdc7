package endpoint

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// deny has a's host refuse to send to b, for a time.
func (p *pair) deny(during time.Duration) {
	end := p.net.Now() + during
	p.a.filter = func([]byte) bool {
		if p.net.Now() >= end {
			return true
		}
		p.net.At(p.net.Now(), func() { // when the packets have been handed over
			p.a.do(func(now time.Duration) { p.a.Denied(now, p.b.addrs[0], syscall.ENETUNREACH) })
		})
		return false
	}
}

// A peer to which this host cannot send is given up soon, with what the system has said, however patient the set-up is.
func TestAHostThatCannotSendSaysSo(t *testing.T) {
	p := newPair(t, socket.Config{InitRetransmissions: 1000, RTOInitial: time.Minute})
	p.deny(time.Hour)
	begun := p.net.Now()
	p.a.do(func(now time.Duration) {
		_, err := p.a.Connect(now, p.b.addr()...)
		require.NoError(t, err)
	})
	p.until("association is lost", func() bool { return len(p.seenA) > 0 })
	assert.ErrorIs(t, p.seenA[0].Err, socket.ErrDenied)
	assert.ErrorIs(t, p.seenA[0].Err, syscall.ENETUNREACH)
	assert.Less(t, p.net.Now()-begun, 2*time.Second)
}

// A route that comes meanwhile is used, and what was not sent before it came is no attempt.
func TestARouteThatComesIsUsed(t *testing.T) {
	p := newPair(t, socket.Config{InitRetransmissions: 1, RTOInitial: time.Minute})
	p.deny(time.Second / 2)
	begun := p.net.Now()
	p.connect()
	assert.Less(t, p.net.Now()-begun, time.Second)
}

// Once there is an association a refusal ends nothing: it is the peer's silence that counts.
func TestARefusalEndsNoAssociation(t *testing.T) {
	p := newPair(t, socket.Config{PeerTimeout: time.Minute, Heartbeat: time.Second})
	p.connect()
	p.deny(10 * time.Second)
	end := p.net.Now() + 20*time.Second
	p.until("the route is back", func() bool { return p.net.Now() >= end })
	assert.NotContains(t, kinds(p.seenA), socket.Lost)
}
