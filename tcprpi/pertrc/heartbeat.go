package pertrc

import (
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// watched is the transport as its heartbeat.Watch sees it. A heartbeat goes on the control connection with the peer: there no message that waits
// for its receive is in the way.
type watched struct{ *Transport }

// Beat implements heartbeat.Transport.
func (t watched) Beat(peer matching.Rank) *heartbeat.Peer {
	if p := &t.peers[peer]; p.control != nil && !p.Dead {
		return &p.beat
	}
	return nil
}

// Unread implements heartbeat.Transport.
func (t watched) Unread(peer matching.Rank) bool { return t.peers[peer].unread() }

func (p *peer) unread() bool {
	return slices.ContainsFunc(p.controls, func(c *control) bool {
		return c.fd >= 0 && !c.ended && (c.reading || socket.Readable(c.fd))
	})
}

// Speak implements heartbeat.Transport.
func (t watched) Speak(peer matching.Rank) {
	p := &t.peers[peer]
	c := p.control
	switch {
	case !p.beat.Quiet():
	case len(c.out) == 0 && len(p.outbox) == 0:
		t.layer.Tell(p.Peer, trc.Note{Kind: trc.Alive})
	default: // in rpi.Inline it leaves here if the program makes no call
		c.Writable()
		t.attend(c)
	}
}

// Failed implements heartbeat.Transport.
func (t watched) Failed(peer matching.Rank) error { return t.layer.Failed(peer) }

// Dead implements heartbeat.Transport.
func (t watched) Dead(peer matching.Rank) bool { return t.peers[peer].Dead }

// Fail implements heartbeat.Transport.
func (t watched) Fail(peer matching.Rank, cause error) { t.fail(&t.peers[peer], cause, true) }

// TakeForDead implements heartbeat.Transport. A peer that could not be told asks: see connectionLost. It is told before its other connections
// end, as it would take their end for that of this process.
func (t watched) TakeForDead(peer matching.Rank, cause error, silence time.Duration) {
	t.lock.Lock()
	defer t.lock.Unlock()
	p := &t.peers[peer]
	living := t.failed(p) == nil
	if t.life.Over || !t.layer.Fail(p.Peer, cause, !p.farewell) {
		return
	}
	if living && p.control != nil && !p.Parted {
		note := trc.Note{Kind: trc.GaveUp, Seq: matching.Seq(silence.Milliseconds())}
		p.outbox = note.Append(p.outbox)
		p.control.attend(t.Transport)
	}
	t.followFailure(p)
}

// GiveUp implements rpi.Transport.
func (t *Transport) GiveUp(peer matching.Rank, cause error) { watched{t}.TakeForDead(peer, cause, 0) }

// Suspected implements rpi.Watchful.
func (t *Transport) Suspected() []matching.Rank { return t.watch.Suspected() }
