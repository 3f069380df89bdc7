package links_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/links"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/stretchr/testify/require"
)

// A network in the memory of one process: all that a transport has to do, and no more. docs/transports.md goes through it.

// memory is one process's end of it.
type memory struct {
	*links.Engine
	cfg    rpi.Config
	driver *driver.Driver
	life   *monitor.Life
	inbox  inbox
	peers  []*peer // the engine's lock guards them
}

// peer is another process, as this one sees it.
type peer struct {
	monitor.Flow
	own    *memory
	rank   matching.Rank
	queue  *progression.Queue
	to     *memory // nil until it is needed, or has sent something
	reader progression.Reader
	frames []*progression.Frame // of the batch that is being sent
	// meeting: the peer is being looked up. parting: it has been told, or will be, that this process is done. gone: nothing comes of it
	// any more.
	meeting, parting, gone bool
}

// memories are all processes, by their addresses.
var memories sync.Map

func openMemory(cfg rpi.Config) (rpi.Transport, error) {
	cfg = cfg.WithDefaults()
	m := &memory{Engine: links.New(cfg, progression.InOneOrder), cfg: cfg}
	m.life = monitor.NewLife(m.Lock)
	for rank := range cfg.Size {
		p := &peer{own: m, rank: matching.Rank(rank), queue: m.Layer.Queue(matching.Rank(rank)), reader: progression.Reader{Last: true}}
		m.peers = append(m.peers, p)
	}
	n := network{m}
	var err error
	if m.driver, err = driver.New(m.Around(n), cfg); err != nil {
		return nil, err
	}
	m.inbox.wake = m.driver.Wake
	m.Use(n, m.driver)
	memories.Store(n.Address(), m)
	m.life.Go(func() { m.driver.Loop(m.life.Context) })
	return m, nil
}

func (m *memory) Name() string { return "memory" }

// Kill implements rpi.Transport.
func (m *memory) Kill() {
	m.Flush()
	m.life.Kill(m.stop, m.drop)
}

// stop ends what takes in messages.
func (m *memory) stop() {
	memories.Delete(network{m}.Address())
	m.inbox.close()
	m.driver.Close()
	m.life.Join()
	m.Stop()
}

// drop tells the peers, and ends requests.
func (m *memory) drop() {
	unread, _ := m.inbox.take()
	for _, x := range unread {
		m.peers[x.from.cfg.Rank].to = x.from
	}
	for _, p := range m.peers {
		if p.to != nil {
			p.to.inbox.put(parcel{from: m, end: true})
		}
		p.gone = true
		p.drop()
	}
	m.Layer.Close()
}

// network is the process as its engine, and its driver, see it.
type network struct{ *memory }

func (m network) Address() string { return fmt.Sprintf("%p", m.memory) }

func (m network) Usage() rpi.Usage { return rpi.Usage{Waited: m.driver.Waited()} }

func (m network) Carried(show func(*progression.Frame)) {
	for _, p := range m.peers {
		for _, f := range p.frames {
			show(f)
		}
	}
}

// Connect implements links.Network.
func (m network) Connect(ctx context.Context) error {
	defer m.driver.Serve()()
	return m.life.Connect(ctx, m.cfg.Size, func(rank matching.Rank) (bool, error) {
		p := m.peers[rank]
		m.meet(p)
		return p.to != nil || p.gone || int(rank) == m.cfg.Rank, m.Layer.Failed(rank)
	})
}

// meet begins to make a connection, if there is none.
func (m network) meet(p *peer) {
	if p.to != nil || p.meeting || p.gone || m.life.Over || p.rank == matching.Rank(m.cfg.Rank) {
		return
	}
	p.meeting = true
	m.life.Go(func() {
		ctx, cancel := m.cfg.Connecting(m.life.Context)
		defer cancel()
		address, err := m.cfg.Lookup(ctx, int(p.rank))
		found, ok := memories.Load(address)
		ok = ok && bytes.Equal(found.(*memory).cfg.Token, m.cfg.Token) && // it is of this job
			found.(*memory).inbox.put(parcel{from: m.memory}) // so that each hears of the other's end
		m.life.Progress.Lock()
		defer m.life.Progress.Unlock()
		m.Lock.Lock()
		defer m.Lock.Unlock()
		switch {
		case ok && m.life.Over:
			p.to = found.(*memory) // which Kill tells of the end
		case ok:
			m.connect(p, found.(*memory))
		case !m.life.Over:
			m.fail(p, errors.Join(fmt.Errorf("no process of this job is at %s", address), err))
		}
	})
}

// connect puts a connection into use.
func (m network) connect(p *peer, to *memory) {
	if p.to == nil {
		p.to = to
		m.Layer.SetConnected(p.rank)
		m.Layer.SetReady(p.rank)
		m.life.Changed()
	}
	m.part(p)
}

// part says Bye to a peer that this process is connected with, if it is about to end.
func (m network) part(p *peer) {
	if m.life.Closing && p.to != nil && !p.gone && !p.parting {
		p.parting = true
		m.Layer.Bye(p.rank)
	}
}

var errLeft = errors.New("it ended without finalizing: it has ended or was killed")

// Next implements links.Network.
func (m network) Next(rank matching.Rank) links.Batch {
	p := m.peers[rank]
	switch m.meet(p); {
	case p.gone:
		p.drop()
	case p.to != nil:
		return p.next()
	}
	return nil
}

func (p *peer) next() links.Batch {
	if p.queue.Empty() || !p.Free() {
		return nil
	}
	for f := p.queue.Pop(); f != nil; f = p.queue.Pop() {
		f.Started = true
		p.frames = append(p.frames, f)
	}
	p.Begin()
	return p
}

// Send implements links.Batch.
func (p *peer) Send() {
	var b []byte
	for _, f := range p.frames {
		b = append(append(b, f.Header[:]...), f.Body...)
	}
	p.to.inbox.put(parcel{from: p.own, bytes: b}) // if it is closed, its end follows
}

// Sent implements links.Batch.
func (p *peer) Sent() links.Batch {
	p.End(false)
	for _, f := range p.frames {
		p.own.Layer.Sent(f)
	}
	p.frames = p.frames[:0]
	p.own.life.Changed()
	if p.gone {
		p.drop()
	}
	return p.next()
}

// fail notes that a peer is gone.
func (m network) fail(p *peer, cause error) {
	if !p.gone {
		p.gone = true
		m.Layer.Fail(p.rank, cause)
		p.drop()
		m.life.Changed()
	}
}

// drop gives back what will never be sent.
func (p *peer) drop() {
	for f := p.queue.Pop(); f != nil; f = p.queue.Pop() {
		p.own.Layer.Dropped(f)
	}
}

// GiveUp implements links.Network: a peer that is given up is told, now or when it connects.
func (m network) GiveUp(rank matching.Rank, cause error) {
	m.life.Progress.Lock()
	defer m.life.Progress.Unlock()
	m.Lock.Lock()
	defer m.Lock.Unlock()
	p := m.peers[rank]
	if p.to != nil && !p.gone {
		p.to.inbox.put(parcel{from: m.memory, givenUp: true})
	}
	m.fail(p, cause)
}

// Close implements links.Network: each says Bye to all that it is connected with, and waits for theirs.
func (m network) Close(ctx context.Context) error {
	defer m.driver.Serve()()
	return m.life.Close(ctx, nil, m.left, m.Kill)
}

// left are the peers with which there is something left to do.
func (m network) left() (peers []matching.Rank, done bool) {
	for _, p := range m.peers {
		m.part(p)
		if (p.to != nil || p.meeting) && !p.gone && (!p.queue.Empty() || p.Sending() || m.Layer.Failed(p.rank) == nil) {
			peers = append(peers, p.rank)
		}
	}
	return peers, len(peers) == 0
}

// Release implements driver.Network.
func (m network) Release() { m.Flush() }

// Descriptor implements driver.Network: there is none, so the inbox wakes the driver.
func (m network) Descriptor() int { return -1 }

// Rest implements driver.Network.
func (m network) Rest(bool) (deadline time.Time, ready bool) { return deadline, m.inbox.some() }

// Resume implements driver.Network.
func (m network) Resume() {}

// Poll implements driver.Network.
func (m network) Poll() (bool, error) {
	m.life.Progress.Lock()
	defer m.life.Progress.Unlock()
	parcels, err := m.inbox.take()
	m.Lock.Lock()
	defer m.Lock.Unlock()
	for _, x := range parcels {
		p := m.peers[x.from.cfg.Rank]
		m.connect(p, x.from)
		switch {
		case p.gone && !x.end && !x.givenUp && !errors.Is(m.Layer.Failed(p.rank), rpi.ErrFinalized):
			x.from.inbox.put(parcel{from: m.memory, givenUp: true})
		case p.gone:
		case x.givenUp:
			m.fail(p, rpi.ErrGivenUp)
		case x.end && m.Layer.Failed(p.rank) == nil:
			m.fail(p, errLeft)
		default:
			if err := m.Layer.Take(p.rank, &p.reader, x.bytes); err != nil {
				m.fail(p, err)
			}
		}
		m.life.Changed()
	}
	return len(parcels) > 0, err
}

// inbox is what has come for a process.
type inbox struct {
	mu      sync.Mutex
	parcels []parcel
	closed  bool
	wake    func()
}

type parcel struct {
	from  *memory
	bytes []byte
	// end: the process that has sent it is gone. givenUp: that one takes this process for dead.
	end, givenUp bool
}

func (b *inbox) put(x parcel) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.parcels = append(b.parcels, x)
	b.wake()
	return true
}

func (b *inbox) take() (parcels []parcel, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		err = rpi.ErrClosed
	}
	parcels = slices.Clone(b.parcels)
	b.parcels = b.parcels[:0]
	return parcels, err
}

func (b *inbox) some() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.parcels) > 0 || b.closed
}

func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
}

// A network of a page keeps the contract, as what makes it a transport is in the engine.
func TestANetworkInMemoryKeepsTheContract(t *testing.T) { rpitest.RunVariant(t, openMemory) }

// A short message between two that are connected needs no request when nothing else is under way.
func TestShortMessagesNeedNoRequest(t *testing.T) {
	ranks := rpitest.OpenJob(t, 2, openMemory, nil)
	for _, rank := range ranks {
		require.NoError(t, rank.Connect(t.Context()))
	}
	r := rpitest.Start(ranks[1], rpitest.Request(rpi.OpRecv, 0, 3, make([]byte, 4)))
	s := rpitest.Request(rpi.OpSend, 1, 3, []byte("text"))
	require.True(t, ranks[0].(rpi.ShortWay).TrySend(rpi.Short{Peer: 1, Tag: 3, Type: s.Type, Elem: s.Elem, Buf: s.Buf}))
	<-r.Done()
	require.NoError(t, r.Err)
	require.Equal(t, "text", string(r.Buf))
}
