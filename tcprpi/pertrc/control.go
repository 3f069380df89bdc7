package pertrc

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/record"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// control is a control connection with a peer. Either side may have made it,
// and both may speak on it, each always on the same one.
type control struct {
	peer  *peer
	fd    int // -1 in the end
	token uint64
	// number is that of the attempt by which this process has made it, 0 if the peer has. spoke: this process has said something on it.
	number uint32
	spoke  bool
	broken bool // nothing can be said on it any more
	// session is for the connections of messages while the peer speaks on this one, nil if nothing is sealed.
	session *handshake.Session
	// stream has the bytes of fd.
	stream record.Stream

	out []byte // being written
	monitor.Flow

	in            [64 * trc.NoteSize]byte
	have          int
	reading, more bool
	ended         bool // the peer will say no more
	shut          bool // we will say no more
	inTasks       bool
}

// maxOutbox bounds what waits for a peer that does not read its control
// connection, in bytes. Beyond it the peer counts as gone.
const maxOutbox = 16 << 20

func (c *control) listed() *bool { return &c.inTasks }

// Tell implements trc.Carrier.
func (t carrier) Tell(to matching.Rank, n trc.Note) {
	p := &t.peers[to]
	t.sayWhenConnected(p, n)
	t.contact(p)
}

// sayWhenConnected tells a peer something as soon as there is a control connection, for which this is no reason to make one.
func (t *Transport) sayWhenConnected(p *peer, n trc.Note) {
	if len(p.outbox) > maxOutbox {
		t.fail(p, errors.New("it does not read its control connection"), true)
		return
	}
	p.outbox = n.Append(p.outbox)
	if p.control != nil {
		t.attend(p.control)
	}
}

// admit puts a control connection into use. number is that of this process's attempt, 0 if the peer has made it.
func (t *Transport) admit(p *peer, fd int, cipher *record.Cipher, session *handshake.Session, number uint32) error {
	c := &control{peer: p, fd: fd, number: number, session: session, stream: record.New(fd, cipher, &t.meter)}
	c.token = t.sockets.add(c)
	t.meter.Opened.Add(1)
	if err := t.watcher.Add(fd, c.token); err != nil {
		t.closeLater(fd, c.token)
		c.end()
		return err
	}
	p.controls = append(p.controls, c)
	if p.control == nil {
		p.control = c
		t.attend(c)
		for o := range p.outgoing() {
			t.attend(o)
		}
	}
	t.life.Changed()
	return nil
}

func (c *control) attend(t *Transport) {
	p := c.peer
	for c.fd >= 0 && c.Free() && !c.shut && !t.life.Over {
		if len(c.out) == 0 {
			if p.control != c || len(p.outbox) == 0 {
				break
			}
			c.out, p.outbox = p.outbox, c.out[:0]
		}
		v := t.vector()
		v.Add(c.out)
		c.Begin()
		t.leave()
		n, err := c.stream.Write(v)
		t.enter()
		t.freeVector(v)
		if n > 0 {
			c.spoke = true
			p.beat.Spoke()
		}
		c.out = slices.Delete(c.out, 0, n)
		c.broken = c.EndBy(err, syscall.EAGAIN) // reading will tell the reason
	}
	t.part(c)
	if t.life.Closing {
		t.life.Changed()
	}
}

func (c *control) event(t *Transport, e socket.Event) {
	if e.Readable {
		t.listen(c)
	}
	if e.Writable {
		if c.Writable() {
			t.attend(c)
		}
	}
}

// listen reads what a peer says.
func (t *Transport) listen(c *control) {
	if c.reading {
		c.more = true
		return
	}
	for c.fd >= 0 && !c.ended && !t.life.Over {
		v := t.vector()
		v.Add(c.in[c.have:])
		c.reading, c.more = true, false
		t.leave()
		n, err := c.stream.Read(v)
		t.enter()
		t.freeVector(v)
		c.reading = false
		if n > 0 {
			c.peer.beat.Hear()
			c.have += n
			if part, err := t.layer.Hear(c.peer.Peer, c.in[:c.have]); err != nil {
				t.fail(c.peer, err, true)
			} else {
				c.have = copy(c.in[:], part)
			}
		} else if err == nil {
			err = io.EOF
		}
		switch {
		case errors.Is(err, syscall.EAGAIN):
			if !c.more {
				t.part(c)
				if c.peer.doubt != nil && !c.peer.inquiring {
					t.attend(c.peer)
				}
				return
			}
		case err != nil:
			t.hungUp(c, err)
		}
	}
	t.part(c)
}

// Hear implements trc.Carrier.
func (t carrier) Hear(from *trc.Peer, n trc.Note) error {
	switch p := &t.peers[from.Rank]; n.Kind {
	case trc.Reclaim:
		if o := p.reclaimed(n); o != nil {
			t.dismiss(o)
		}
	case trc.Drained:
		if o := p.Out[trc.Key{Context: n.Context, Tag: n.Tag}]; o != nil {
			o.Channel.(*outgoing).vouch(n)
		}
	case trc.Bye:
		p.farewell = true
		t.fail(p, rpi.ErrFinalized, false)
	case trc.GaveUp:
		t.fail(p, rpi.GaveUp(n.Silence()), true)
	case trc.Cut:
		return t.heardOfCut(p, n.ID)
	}
	return nil
}

// end notes that the peer says no more on a control connection: its Session is over.
func (c *control) end() {
	c.ended = true
	c.session.End()
}

// hungUp handles the end of a control connection, orderly or not.
func (t *Transport) hungUp(c *control, err error) {
	c.end()
	t.life.Changed()
	if errors.Is(err, io.EOF) {
		t.missFarewell(c.peer)
		return
	}
	if errors.Is(err, record.ErrChanged) {
		t.fail(c.peer, fmt.Errorf("the connection with it broke: %w", err), true)
		return
	}
	t.controlLost(c.peer, t.watch.Explain(fmt.Errorf("the connection with it broke: %w", err)))
}

// missFarewell gives a peer up whose control connections have all ended without a farewell. Where both sides have made
// one it may be on the other, even on one that the peer uses and this process does not yet.
func (t *Transport) missFarewell(p *peer) {
	if p.dialing || p.accepting || len(p.controls) == 0 || slices.ContainsFunc(p.controls, func(c *control) bool { return !c.ended }) {
		return
	}
	t.controlLost(p, t.watch.Explain(errors.New("it closed the connection without finalizing: it has ended or was killed")))
}

// part closes the control connection with a peer that is dead, once no goroutine uses it.
func (t *Transport) part(c *control) {
	if c.peer.Dead && c.fd >= 0 && !c.reading && !c.Sending() {
		t.closeLater(c.fd, c.token)
		c.fd = -1
		c.end()
	}
}
