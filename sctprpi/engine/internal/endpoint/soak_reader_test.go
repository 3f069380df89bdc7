package endpoint

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// pauses lets a party not read for a while now and then.
func (p *party) pauses() {
	at := p.net.Now()
	for range p.s.IntN(3) {
		at += time.Duration(p.s.IntN(1000)) * time.Millisecond
		p.net.At(at, func() { p.on = nil })
		at += time.Duration(p.s.IntN(4000)) * time.Millisecond
		p.net.At(at, func() {
			p.on = p.event
			p.do(func(time.Duration) {})
		})
		p.s.paused++
	}
}

// holds lets a party leave streams alone for a while now and then.
func (p *party) holds() {
	status, err := p.Status(p.assoc)
	require.NoError(p.s.t, err)
	for range p.s.IntN(4) {
		stream := socket.StreamID(p.s.IntN(status.Inbound))
		at := p.net.Now() + time.Duration(p.s.IntN(1000))*time.Millisecond
		p.net.At(at, func() { p.hold(stream, true) })
		p.net.At(at+time.Duration(p.s.IntN(5000))*time.Millisecond, func() { p.hold(stream, false) })
		p.s.holds++
	}
}

func (p *party) hold(stream socket.StreamID, hold bool) {
	p.do(func(time.Duration) {
		if err := p.Hold(p.assoc, stream, hold); err != nil {
			require.ErrorIs(p.s.t, err, socket.ErrAssoc) // it has ended
		}
	})
}
