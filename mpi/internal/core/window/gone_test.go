package window

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// mail is a transport that keeps messages until a receive wants them. It sends none.
type mail struct {
	rpi.Transport
	sent   []*rpi.Request
	posted []*rpi.Request
	kept   []letter
	gone   map[matching.Rank]bool
	// advanced counts calls of Advance, which calls then.
	advanced int
	then     func()
}

// letter is a message that has come.
type letter struct {
	from matching.Rank
	tag  matching.Tag
	body []byte
}

func (m *mail) Start(r *rpi.Request) {
	if r.Op == rpi.OpSend {
		m.sent = append(m.sent, r)
		r.Complete(m.end(r.Peer))
		return
	}
	i := slices.IndexFunc(m.kept, func(l letter) bool { return wants(r, l) })
	switch {
	case i >= 0:
		l := m.kept[i]
		m.kept = slices.Delete(m.kept, i, i+1)
		deliver(r, l)
	case r.Peer != matching.AnySource && m.gone[r.Peer]:
		r.Complete(m.end(r.Peer))
	default:
		m.posted = append(m.posted, r)
	}
}

func (m *mail) Cancel(*rpi.Request) {}

func (m *mail) Advance() {
	if m.advanced++; m.then != nil {
		m.then()
	}
}

func wants(r *rpi.Request, l letter) bool {
	return (r.Peer == l.from || r.Peer == matching.AnySource) && r.Tag == l.tag
}

func deliver(r *rpi.Request, l letter) {
	r.Status = rpi.Status{Source: l.from, Tag: l.tag, Length: uint64(len(l.body))}
	copy(r.Buf, l.body)
	r.Complete(nil)
}

func (m *mail) end(peer matching.Rank) error {
	if !m.gone[peer] {
		return nil
	}
	return &rpi.PeerError{Peer: peer, Cause: rpi.ErrFinalized}
}

// arrive brings a message of a rank.
func (m *mail) arrive(from matching.Rank, tag matching.Tag, body []byte) {
	l := letter{from, tag, body}
	if i := slices.IndexFunc(m.posted, func(r *rpi.Request) bool { return wants(r, l) }); i >= 0 {
		r := m.posted[i]
		m.posted = slices.Delete(m.posted, i, i+1)
		deliver(r, l)
		return
	}
	m.kept = append(m.kept, l)
}

// leaves brings the end of a rank. It fails the receives of its messages alone.
func (m *mail) leaves(peer matching.Rank) {
	if m.gone == nil {
		m.gone = make(map[matching.Rank]bool)
	}
	m.gone[peer] = true
	for _, r := range slices.Clone(m.posted) {
		if r.Peer == peer {
			m.drop(r, m.end(peer))
		}
	}
}

func (m *mail) drop(r *rpi.Request, err error) {
	m.posted = slices.DeleteFunc(m.posted, func(p *rpi.Request) bool { return p == r })
	r.Complete(err)
}

func (m *mail) receive(peer matching.Rank, tag matching.Tag) *rpi.Request {
	i := slices.IndexFunc(m.posted, func(r *rpi.Request) bool { return r.Peer == peer && r.Tag == tag })
	if i < 0 {
		return nil
	}
	return m.posted[i]
}

// three returns the window of rank 0 of three that shows memory, and its transport. during runs what happens before the window handles any
// of it.
func three(memory []byte) (w *Window, m *mail, during func(func())) {
	m = &mail{}
	c := rpi.NewContinuations()
	w = New(&Process{Transport: m, Continuations: c}, pair{}, 0, 0, 3, xor)
	w.Show(memory, 1)
	return w, m, func(f func()) {
		c.Enter()
		f()
		c.Leave(false)
	}
}

// While the window handles a message of rank 2, rank 1 answers and is gone: the answer counts.
func TestWhatAPeerHasSentBeforeItWentCounts(t *testing.T) {
	w, m, during := three(make([]byte, 8))
	w.epochs.fence = true
	e, into := w.Event(), make([]byte, 4)
	require.NoError(t, w.Get(t.Context(), "Get", into, Place{Rank: 1}, e))
	e.Started()
	asked, _, _ := parse(m.sent[0].Buf)
	during(func() {
		m.arrive(2, messageTag, header{verb: post}.append(nil))
		m.arrive(1, messageTag, append(header{verb: answer, id: asked.id, length: 4}.append(nil), "data"...))
		m.arrive(1, messageTag, header{verb: post}.append(nil))
		m.leaves(1)
	})
	require.True(t, e.Completed())
	require.NoError(t, e.Outcome("Get"))
	require.Equal(t, "data", string(into))
	require.Equal(t, 1, w.peers[1].posts)
	require.Equal(t, 1, w.peers[2].posts)
	require.ErrorIs(t, w.Get(t.Context(), "Get", into, Place{Rank: 1}, nil), rpi.ErrProcFailed)
}

// What it has not sent fails, behind what it has.
func TestWhatAPeerThatIsGoneHasNotSentFails(t *testing.T) {
	w, m, during := three(make([]byte, 8))
	w.epochs.fence = true
	first, second, into := w.Event(), w.Event(), make([]byte, 4)
	for _, e := range []*Event{first, second} {
		require.NoError(t, w.Get(t.Context(), "Get", into, Place{Rank: 1}, e))
		e.Started()
	}
	asked, _, _ := parse(m.sent[0].Buf)
	during(func() {
		m.arrive(2, messageTag, header{verb: post}.append(nil))
		m.arrive(1, messageTag, append(header{verb: answer, id: asked.id, length: 4}.append(nil), "data"...))
		m.leaves(1)
	})
	require.True(t, first.Completed())
	require.NoError(t, first.Outcome("Get"))
	require.True(t, second.Completed())
	require.ErrorIs(t, second.Outcome("Get"), rpi.ErrFinalized)
	require.NotNil(t, m.receive(matching.AnySource, messageTag), "the others are still heard")
}

// The data of a long Put may come by another way than the message that ends its epoch, and later.
func TestAnEpochThatAPeerHasEndedBeforeItWentCounts(t *testing.T) {
	memory := make([]byte, 2*maxData)
	w, m, during := three(memory)
	require.NoError(t, w.Post("Post", []int{1}))
	during(func() {
		m.arrive(1, messageTag, header{verb: putLong, length: uint64(len(memory))}.append(nil))
		m.arrive(1, messageTag, header{verb: complete}.append(nil))
	})
	landing := m.receive(1, putTag(0))
	for _, tag := range []matching.Tag{watchTag, messageTag} {
		during(func() { m.drop(m.receive(1, tag), &rpi.PeerError{Peer: 1, Cause: rpi.ErrFinalized}) })
	}
	done, err := w.Test("Wait")
	require.NoError(t, err)
	require.False(t, done, "its data is still coming")
	during(func() {
		copy(landing.Buf, "data")
		landing.Status.Length = uint64(len(memory))
		m.drop(landing, nil)
	})
	done, err = w.Test("Wait")
	require.NoError(t, err)
	require.True(t, done)
	require.Equal(t, "data", string(memory[:4]))
	require.True(t, w.peers[1].lost)
}

// Data that has come whole counts though its sender has gone meanwhile.
func TestLongDataThatHasComeCounts(t *testing.T) {
	w, m, during := three(make([]byte, 8))
	w.epochs.fence = true
	e, into := w.Event(), make([]byte, 2*maxData)
	require.NoError(t, w.Get(t.Context(), "Get", into, Place{Rank: 1}, e))
	e.Started()
	during(func() {
		m.drop(m.receive(1, watchTag), &rpi.PeerError{Peer: 1, Cause: rpi.ErrFinalized})
		m.arrive(1, getTag(0), make([]byte, len(into)))
	})
	require.True(t, e.Completed())
	require.NoError(t, e.Outcome("Get"))
}

// A peer that dies amid a message is the only one that the window loses.
func TestDeathAmidAMessageLeavesTheOthers(t *testing.T) {
	w, m, during := three(make([]byte, 8))
	during(func() {
		m.arrive(2, messageTag, header{verb: post}.append(nil))
		m.arrive(1, messageTag, header{verb: post}.append(nil))
	})
	during(func() {
		m.leaves(1)
		m.drop(m.receive(matching.AnySource, messageTag), &rpi.PeerError{Peer: 1, Cause: rpi.ErrFinalized})
	})
	require.True(t, w.peers[1].lost)
	require.Nil(t, w.peers[2].dead)
	during(func() { m.arrive(2, messageTag, header{verb: post}.append(nil)) })
	require.Equal(t, 2, w.peers[2].posts)
}
