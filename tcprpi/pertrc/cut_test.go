package pertrc

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake/handshaketest"
)

// A peer that does not know that its connection was accepted makes another one. It hears that the first has ended, as it may think that it
// is in use: of a control connection as soon as there is another one.
func TestDialerThatDoesNotKnow(t *testing.T) {
	for what, breaks := range handshaketest.Breaks {
		t.Run(what, func(t *testing.T) {
			v := victim(t, nil)
			r := start(v, receiveAny(1))
			self := handshaketest.Rank(t, v.cfg, handshake.PerTRC, v.Address())
			fails := func(h handshake.Hello) {
				breaks(t, self, h, func(nc *net.TCPConn) {
					pending := handshake.NewGate(100).Enter(t.Context(), nc)
					v.server().Receive(nc, pending)
					pending.Leave()
				})
				require.False(t, r.Completed())
			}
			first := greeting(forControl, 0)
			first.Number = 76
			fails(first)
			control := join(t, v, greeting(forControl, 0))
			require.Equal(t, trc.Note{Kind: trc.Cut, ID: 76}, hear(t, control))
			messages := greeting(forMessages, 5)
			messages.Number = 77
			fails(messages)
			require.Equal(t, trc.Note{Kind: trc.Cut, ID: 77}, hear(t, control))
			join(t, v, messages).Write(eager(0, 4))
			<-r.Done()
			require.NoError(t, r.Err)
		})
	}
}

// hear returns the next note.
func hear(t *testing.T, control net.Conn) (n trc.Note) {
	b := make([]byte, trc.NoteSize)
	_, err := io.ReadFull(control, b)
	require.NoError(t, err)
	require.NoError(t, n.Parse(b))
	return n
}

// callee is rank 1, played by the test, which the victim connects to.
type callee struct {
	*testing.T
	*handshake.Self
	net.Listener
	control net.Conn
	session *handshake.Session
}

// called returns a callee with which the victim has a control connection, and the victim's request to send a message to it.
func called(t *testing.T) (*callee, *Transport, *rpi.Request) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	self, err := handshake.NewSelf(rpi.Config{Rank: 1, Size: 3, Token: token}, handshake.PerTRC)
	require.NoError(t, err)
	v := victim(t, func(cfg *rpi.Config) {
		cfg.Lookup = func(context.Context, int) (string, error) { return self.Publish(l.Addr().String()), nil }
	})
	s := start(v, request(rpi.OpSend, 1, 5, []byte("text")))
	c := &callee{T: t, Self: self, Listener: l}
	nc, visit := c.visited()
	require.EqualValues(t, forControl, visit.Purpose)
	c.control = c.accepts(nc, visit)
	return c, v, s
}

// visited returns the next connection of the victim, which waits for the result.
func (c *callee) visited() (net.Conn, *handshake.Visit) {
	nc, err := c.Listener.Accept()
	require.NoError(c, err)
	c.Cleanup(func() { nc.Close() }) // and not before: the collector closes a connection that nothing refers to
	visit, err := c.Self.Receive(c.Context(), nc)
	require.NoError(c, err)
	return nc, visit
}

func (c *callee) accepts(nc net.Conn, visit *handshake.Visit) net.Conn {
	if visit.Purpose == forControl {
		c.session = visit.Begin()
	}
	require.NoError(c, visit.Accept(c.Context(), nc, time.Minute))
	return handshaketest.NewConn(nc.(*net.TCPConn), visit.Cipher)
}

// says sends a note, and waits until the victim has heard it: it answers the next one.
func (c *callee) says(n trc.Note) {
	question := trc.Note{Kind: trc.Retract, ID: 1, Context: 2, Tag: 3}
	_, err := c.control.Write(question.Append(n.Append(nil)))
	require.NoError(c, err)
	require.Contains(c, []trc.NoteKind{trc.Retracted, trc.Kept}, hear(c.T, c.control).Kind)
}

// receives takes the victim's message.
func (c *callee) receives(from net.Conn) {
	b := make([]byte, header.Size+4)
	_, err := io.ReadFull(from, b)
	require.NoError(c, err)
	require.Equal(c, "text", string(b[header.Size:]))
}

// The connection is cut before the peer knows that it is in use, and stays open at this end. That is no silence: what was sent on it
// is lost, so the peer counts as failed.
func TestConnectionThatIsCutBeforeItIsInUse(t *testing.T) {
	c, v, s := called(t)
	nc, visit := c.visited()
	c.receives(c.accepts(nc, visit))
	<-s.Done()
	require.NoError(t, s.Err, "it has left")
	_, err := c.control.Write((&trc.Note{Kind: trc.Cut, ID: visit.Number}).Append(nil))
	require.NoError(t, err)
	r := start(v, receiveAny(1))
	<-r.Done()
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	require.ErrorContains(t, r.Err, "a connection to it for messages was cut on the way")
}

// If this end does not use the connection yet, or has given it up, nothing is lost: it makes another one.
func TestConnectionThatIsCutBeforeThisEndUsesIt(t *testing.T) {
	for what, last := range map[string]func(c *callee, nc net.Conn, visit *handshake.Visit){
		"it hears of the end first": func(c *callee, nc net.Conn, visit *handshake.Visit) {
			c.says(trc.Note{Kind: trc.Cut, ID: visit.Number})
			c.accepts(nc, visit)
		},
		"it hears of the end, and gets no result": func(c *callee, nc net.Conn, visit *handshake.Visit) {
			c.says(trc.Note{Kind: trc.Cut, ID: visit.Number})
			nc.Close()
		},
		"it gives up first": func(_ *callee, nc net.Conn, _ *handshake.Visit) { nc.Close() },
	} {
		t.Run(what, func(t *testing.T) {
			c, _, s := called(t)
			nc, first := c.visited()
			last(c, nc, first)
			nc, second := c.visited()
			assert.NotEqual(t, first.Number, second.Number)
			if what == "it gives up first" {
				c.says(trc.Note{Kind: trc.Cut, ID: first.Number})
			}
			messages := c.accepts(nc, second)
			c.receives(messages)
			<-s.Done()
			require.NoError(t, s.Err)
		})
	}
}

// A connection that never was cannot have ended.
func TestCutOfNothing(t *testing.T) {
	v := victim(t, nil)
	control := join(t, v, greeting(forControl, 0))
	r := start(v, receiveAny(1))
	_, err := control.Write((&trc.Note{Kind: trc.Cut, ID: 5}).Append(nil))
	require.NoError(t, err)
	<-r.Done()
	require.ErrorContains(t, r.Err, "broke the protocol")
}

// The peer says, on a control connection that it has made, that it has never used the one that this process has made.
func TestControlConnectionThatIsCut(t *testing.T) {
	for _, spoke := range []bool{false, true} {
		v := victim(t, nil)
		own := join(t, v, greeting(forControl, 0))
		r := start(v, receiveAny(1))
		v.lock.Lock()
		p := &v.peers[1]
		p.control = &control{peer: p, fd: -1, number: 7, spoke: spoke}
		p.controls = append(p.controls, p.control)
		v.attempts = 7
		v.lock.Unlock()
		cut := trc.Note{Kind: trc.Cut, ID: 7}
		if spoke {
			_, err := own.Write(cut.Append(nil))
			require.NoError(t, err)
			<-r.Done()
			require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
			require.ErrorContains(t, r.Err, "the control connection to it was cut on the way")
			continue
		}
		question := trc.Note{Kind: trc.Retract, ID: 1, Context: 2, Tag: 3}
		_, err := own.Write(question.Append(cut.Append(nil)))
		require.NoError(t, err)
		require.Equal(t, trc.Retracted, hear(t, own).Kind, "it answers where it hears")
		v.lock.Lock()
		speaksOn := p.control
		v.lock.Unlock()
		require.Zero(t, speaksOn.number, "the peer has made it")
	}
}
