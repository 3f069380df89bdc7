package endpoint

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var (
	soakSeed  = flag.Uint64("seed", 0, "run only this scenario of the soak")
	soakCount = flag.Int("scenarios", 0, "how many scenarios each soak runs; 0: what it does by itself, more in long tests")
)

// TestSoak runs random scenarios: two hosts, a network that does what networks do,
// and messages both ways. Of each it demands that all messages arrive exactly once,
// byte for byte, and in order per stream, however they are limited and left unread for a
// while; that an outage is survived which is shorter than the association's limit; and that in the end, after a graceful shutdown, no
// timer runs and no memory is lent. `-seed N` runs one scenario again; the trace of
// one that fails is printed.
func TestSoak(t *testing.T) { soak(t, newScenario, 600, 4000) }

// TestSoakOfSeveralPaths does so with data on two paths at once, each with a weather of its own, and with all congestion controls.
func TestSoakOfSeveralPaths(t *testing.T) { soak(t, newScenarioOfSeveralPaths, 150, 2000) }

// soak runs so many scenarios, or so many in long tests.
func soak(t *testing.T, scenario func(testing.TB, uint64) *scenario, count, long int) {
	if *soakSeed != 0 {
		scenario(t, *soakSeed).run()
		return
	}
	const parts = 4 // side by side
	if os.Getenv("SCTPMPI_TEST_LONG") != "" {
		count = long
	}
	count = cmp.Or(*soakCount, count)
	t.Cleanup(func() { t.Logf("%d scenarios: %+v", count, &soaked) })
	for part := range uint64(parts) {
		t.Run(fmt.Sprintf("part %d", part), func(t *testing.T) {
			t.Parallel()
			for seed := part + 1; seed <= uint64(count); seed += parts {
				s := scenario(t, seed)
				s.run()
				s.sum()
			}
		})
	}
}

// soaked counts what has happened in all scenarios, to show that they do exercise
// what they are for.
var soaked struct {
	sync.Mutex
	Messages, Bytes, Retransmissions, Timeouts, Recoveries, Duplicates uint64
	Interleaved, MultiHomed, Collisions, Pauses, Holds, StreamsFull    int
	VirtualTime                                                        time.Duration
}

// scenario is one run.
type scenario struct {
	*rand.Rand
	t          testing.TB
	seed       uint64
	net        *simnet.Network
	conditions []simnet.Conditions // by home
	multipath  bool
	ends       [2]*party
	interleave bool
	homes      int
	collide    bool
	paused     int
	holds      int
}

// party is one of the two, with what it has to send and to receive.
type party struct {
	*host
	s         *scenario
	peer      *party
	assoc     socket.AssocID
	ups       int
	ended     []socket.Kind
	todo      []socket.Message
	lent      map[*sent]bool
	streams   int
	nextSend  []uint32 // ordered messages sent per stream
	nextRecv  []uint32
	unordered map[uint32]bool // unordered messages expected
	expected  int             // messages that the peer has sent
	got       int
	partial   map[partialKey][]byte
	counters  socket.Counters // before the end
	full      int             // messages refused for their stream's sake
}

type partialKey struct {
	stream    socket.StreamID
	unordered bool
	mid       uint32
}

// sent is a lent message.
type sent struct{ data [][]byte }

func newScenario(t testing.TB, seed uint64) *scenario {
	s := drawScenario(t, seed)
	s.conditions = []simnet.Conditions{s.weather()}
	s.interleave = s.IntN(3) == 0
	s.collide = s.IntN(4) == 0
	if s.IntN(5) == 0 {
		s.homes = 2
		s.conditions = append(s.conditions, s.conditions[0])
	}
	s.join()
	return s
}

func newScenarioOfSeveralPaths(t testing.TB, seed uint64) *scenario {
	s := drawScenario(t, seed)
	s.multipath, s.homes = true, 2
	s.conditions = []simnet.Conditions{s.weather(), s.weather()}
	s.interleave = s.IntN(3) == 0
	s.collide = s.IntN(4) == 0
	s.join()
	return s
}

func drawScenario(t testing.TB, seed uint64) *scenario {
	return &scenario{
		Rand: rand.New(rand.NewPCG(seed, 0x736f616b)), t: t, seed: seed, net: simnet.New(seed), homes: 1,
	}
}

// join puts the two hosts on the network.
func (s *scenario) join() {
	for i := range s.ends {
		s.ends[i] = s.newParty(i)
	}
	s.ends[0].peer, s.ends[1].peer = s.ends[1], s.ends[0]
	for home := range s.homes {
		s.set(home, s.conditions[home])
	}
}

// weather draws the conditions of the links.
func (s *scenario) weather() simnet.Conditions {
	c := simnet.Conditions{Delay: time.Duration(s.IntN(100)) * time.Millisecond}
	may := func(f func()) {
		if s.IntN(2) == 0 {
			f()
		}
	}
	may(func() { c.Jitter = time.Duration(s.IntN(20)) * time.Millisecond })
	may(func() { c.Loss = s.Float64() * 0.1 })
	may(func() { c.Reorder = s.Float64() * 0.2 })
	may(func() { c.Duplicate = s.Float64() * 0.1 })
	may(func() { c.Corrupt = s.Float64() * 0.05 })
	may(func() {
		c.Rate = 1_000_000 << s.IntN(9)
		c.Queue, c.Overhead = 20_000+s.IntN(200_000), 28
		c.Mark = []int{0, 10_000, 30_000}[s.IntN(3)]
	})
	may(func() { c.Bits = simnet.Bits(1 + s.IntN(int(simnet.DropMarkable))) })
	if s.IntN(4) == 0 {
		c.Worsen, c.Recover, c.LossBad = 0.02, 0.3, 0.7
	}
	c.MTU = []int{0, 1472, 1252, 1172, 672, 548}[s.IntN(6)]
	return c
}

func (s *scenario) newParty(i int) *party {
	p := &party{s: s, lent: make(map[*sent]bool), unordered: make(map[uint32]bool), partial: make(map[partialKey][]byte)}
	c := socket.Config{
		Streams: 1 + s.IntN(64), Interleaving: s.interleave,
		Scheduler:     socket.Scheduler(s.IntN(4)),
		SendBuffer:    1 << (15 + s.IntN(7)),
		ReceiveBuffer: 1 << (16 + s.IntN(6)),
		WholeMessages: s.IntN(4) == 0 && !s.interleave,
		AckEvery:      1 + s.IntN(3),
		SparseAcks:    s.IntN(2) == 0,
		Heartbeat:     30 * time.Second,
		// An outage may be long, and a bad link looks like one, while the shutdown is under way too.
		PeerTimeout: 10 * time.Minute, InitRetransmissions: 40,
		RTOMax: 5 * time.Second,
	}
	if s.multipath {
		c.Multipath, c.Congestion = true, socket.Congestion(s.IntN(int(socket.BBRDraft)+1))
	}
	c.ECN = s.IntN(4) > 0
	if s.IntN(2) == 0 {
		c.StreamLimit = 1 << (8 + s.IntN(12))
	}
	if s.IntN(3) == 0 { // which fits the smallest receive buffer with 64 streams
		c.StreamPool, c.StreamBase = wire.MinStreamPool, wire.MinStreamCharge
	}
	var addrs []string
	for home := range s.homes {
		addrs = append(addrs, fmt.Sprintf("10.0.%d.%d", home, i+1))
	}
	p.host = newHost(s.t, s.net, uint16(1000+i), c, addrs...)
	p.host.host.Standard = s.IntN(8) == 0
	p.on = p.event
	return p
}

// run runs the scenario to its end.
func (s *scenario) run() {
	s.outages()
	s.ends[0].connect()
	if s.collide {
		s.net.At(time.Duration(s.IntN(300))*time.Millisecond, s.ends[1].connect)
	}
	s.until("both are up", func() bool { return s.ends[0].ups > 0 && s.ends[1].ups > 0 })
	for _, p := range s.ends {
		p.plan()
	}
	for _, p := range s.ends {
		p.do(p.sendMore)
		p.pauses()
		p.holds()
	}
	s.until("all messages arrive", func() bool { return s.ends[0].done() && s.ends[1].done() })
	for _, p := range s.ends {
		status, err := p.Status(p.assoc)
		require.NoError(s.t, err)
		p.counters = status.Counters
	}
	closer := s.ends[s.IntN(2)]
	closer.do(func(now time.Duration) { require.NoError(s.t, closer.Shutdown(now, closer.assoc)) })
	s.until("both are closed", func() bool { return len(s.ends[0].ended) > 0 && len(s.ends[1].ended) > 0 })
	s.until("everything is idle", s.net.Idle)
	for _, p := range s.ends {
		p.leaveNothing()
	}
}

// outages lets a link fail for a while now and then, one at a time.
func (s *scenario) outages() {
	at := time.Duration(0)
	for range s.IntN(4) {
		at += time.Duration(s.IntN(3000)) * time.Millisecond
		long := time.Duration(s.IntN(5000)) * time.Millisecond
		home := s.IntN(s.homes)
		s.net.At(at, func() { s.set(home, simnet.Conditions{Down: true}) })
		at += long
		s.net.At(at, func() { s.set(home, s.conditions[home]) })
	}
}

func (s *scenario) set(home int, c simnet.Conditions) {
	s.net.Duplex(s.ends[0].addrs[home].Addr(), s.ends[1].addrs[home].Addr(), c)
}

// until fails the test if something has not come to pass after an hour.
func (s *scenario) until(what string, done func() bool) {
	if !s.net.Run(s.net.Now()+time.Hour, func() bool { return s.t.Failed() || done() }) {
		s.fail("an hour has passed and not: " + what)
	}
	if s.t.Failed() {
		s.t.FailNow()
	}
}

func (s *scenario) fail(what string) {
	var trace bytes.Buffer
	s.net.WriteTrace(&trace, describe)
	lines := bytes.Split(trace.Bytes(), []byte("\n"))
	s.t.Logf("%s", bytes.Join(lines[max(0, len(lines)-200):], []byte("\n")))
	for i, p := range s.ends {
		status, err := p.Status(p.assoc)
		s.t.Logf("end %d: got %d of %d, to send %d: %+v %v", i, p.got, p.peer.sentAll(), len(p.todo), status, err)
	}
	test, _, _ := strings.Cut(s.t.Name(), "/")
	require.Fail(s.t, what, "run it again: go test ./sctprpi/engine/internal/endpoint -run '^%s$' -seed %d", test, s.seed)
}

func (p *party) connect() {
	if p.ups > 0 {
		return // the other was faster
	}
	p.do(func(now time.Duration) {
		id, err := p.Connect(now, p.peer.addr()...)
		require.NoError(p.s.t, err)
		if p.assoc != 0 && p.assoc != id {
			p.s.fail("two associations with one peer")
		}
		p.assoc = id
	})
}

// header is what is in front of a message: what it is, so that the receiver can tell
// which of them it has got.
const header = 9

// plan draws what to send.
func (p *party) plan() {
	s := p.s
	status, err := p.Status(p.assoc)
	require.NoError(s.t, err)
	p.streams = status.Outbound
	p.nextSend = make([]uint32, p.streams)
	p.peer.nextRecv = make([]uint32, p.streams)
	longest := min(p.config().SendBuffer, p.peer.config().ReceiveBuffer) / 2
	for n := range 1 + s.IntN(60) {
		size := header + s.IntN(3000)
		if s.IntN(10) == 0 {
			size = header + s.IntN(min(longest, 100_000))
		}
		m := socket.Message{Stream: socket.StreamID(s.IntN(p.streams)), Unordered: s.IntN(6) == 0, ZeroCopy: s.IntN(2) == 0}
		number := uint32(n)
		if !m.Unordered {
			number = p.nextSend[m.Stream]
			p.nextSend[m.Stream]++
		} else {
			p.peer.unordered[number] = true
		}
		b := fill(size, number, m.Stream, m.Unordered)
		cut := s.IntN(size)
		m.Data = [][]byte{b[:cut], b[cut:]}
		if m.ZeroCopy {
			l := &sent{m.Data}
			m.Owner, p.lent[l] = l, true
		}
		p.todo = append(p.todo, m)
		p.peer.expected++
	}
}

func (p *party) config() socket.Config { return p.host.host.Config }

func (p *party) sentAll() int { return p.peer.expected }

// fill makes a message of a size that says which one it is.
func fill(size int, number uint32, stream socket.StreamID, unordered bool) []byte {
	b := make([]byte, size)
	binary.BigEndian.PutUint32(b, number)
	binary.BigEndian.PutUint32(b[4:], uint32(size))
	if unordered {
		b[8] = 1
	}
	const period = 256
	for i := header; i < min(size, header+period); i++ {
		b[i] = byte(i*7 + int(number)*13 + int(stream)*29)
	}
	for made := header + period; made < size; {
		made += copy(b[made:], b[header:made])
	}
	return b
}

func (p *party) sendMore(now time.Duration) {
	n, err := p.Send(now, p.assoc, p.todo)
	p.todo = p.todo[n:]
	if err != nil && len(p.todo) > 0 {
		require.ErrorIs(p.s.t, err, socket.ErrWouldBlock)
		if errors.Is(err, socket.ErrStreamFull) {
			p.full++
		}
	}
}

func (p *party) event(e *socket.Event) {
	if p.assoc == 0 {
		p.assoc = e.Assoc
	}
	if e.Assoc != p.assoc {
		p.s.fail(fmt.Sprintf("event of association %d, not %d: %+v", e.Assoc, p.assoc, e))
	}
	if len(p.ended) > 0 {
		p.s.fail(fmt.Sprintf("event after the end: %+v", e))
	}
	switch e.Kind {
	case socket.Up:
		p.ups++
		if p.ups > 1 {
			p.s.fail("up twice")
		}
	case socket.Data:
		p.data(e)
	case socket.Writable:
		p.sendMore(p.net.Now())
	case socket.Released:
		p.released(e)
	case socket.Closed:
		p.ended = append(p.ended, e.Kind)
	case socket.PathDown, socket.PathUp, socket.PeerShutdown:
	default:
		p.s.fail(fmt.Sprintf("unexpected event: %+v", e))
	}
}

// released checks that a message comes back once, and spoils its memory, which must
// not be sent from any more.
func (p *party) released(e *socket.Event) {
	l := e.Owner.(*sent)
	if !p.lent[l] || e.Outcome != socket.Acknowledged {
		p.s.fail(fmt.Sprintf("released twice or unacknowledged: %v", e.Outcome))
	}
	delete(p.lent, l)
	for _, b := range l.data {
		clear(b)
	}
}

func (p *party) data(e *socket.Event) {
	key := partialKey{e.Stream, e.Unordered, e.MID}
	if !e.Unordered {
		key.mid = 0 // one at a time
	}
	message, begun := p.partial[key]
	if e.Begin == begun {
		p.s.fail(fmt.Sprintf("piece out of place: %+v", e))
	}
	message = append(message, e.Payload...)
	if !e.End {
		p.partial[key] = message
		return
	}
	delete(p.partial, key)
	p.message(e, message)
}

func (p *party) message(e *socket.Event, b []byte) {
	if len(b) < header {
		p.s.fail("message cut short")
	}
	number := binary.BigEndian.Uint32(b)
	if !bytes.Equal(b, fill(int(binary.BigEndian.Uint32(b[4:])&0xfffff), number, e.Stream, e.Unordered)) {
		p.s.fail("message damaged")
	}
	if e.Unordered {
		if !p.unordered[number] {
			p.s.fail("unordered message twice")
		}
		delete(p.unordered, number)
	} else {
		if number != p.nextRecv[e.Stream] {
			p.s.fail(fmt.Sprintf("message %d of stream %d in place of %d", number, e.Stream, p.nextRecv[e.Stream]))
		}
		p.nextRecv[e.Stream]++
	}
	p.got++
}

func (p *party) done() bool {
	return p.got == p.expected && len(p.todo) == 0 && len(p.lent) == 0
}

// leaveNothing checks that nothing is left of the association.
func (p *party) leaveNothing() {
	t := p.s.t
	require.Equal(t, []socket.Kind{socket.Closed}, p.ended)
	require.Zero(t, p.Associations(), "seed %d", p.s.seed)
	require.Zero(t, p.pool.Lent(), "buffers lent, seed %d", p.s.seed)
	require.Empty(t, p.byTag)
	require.Empty(t, p.byPeer)
	require.Empty(t, p.timers)
	require.False(t, slices.Contains(p.ended, socket.Lost))
}

// sum adds what has happened to the totals.
func (s *scenario) sum() {
	soaked.Lock()
	defer soaked.Unlock()
	soaked.VirtualTime += s.net.Now()
	soaked.Pauses += s.paused
	soaked.Holds += s.holds
	if s.homes > 1 {
		soaked.MultiHomed++
	}
	if s.interleave {
		soaked.Interleaved++
	}
	if s.collide {
		soaked.Collisions++
	}
	for _, p := range s.ends {
		c := &p.counters
		soaked.Messages += uint64(p.got)
		soaked.StreamsFull += p.full
		soaked.Bytes += c.BytesReceived
		soaked.Retransmissions += c.Retransmissions
		soaked.Timeouts += c.Timeouts
		soaked.Recoveries += c.Recoveries
		soaked.Duplicates += c.Duplicates
	}
}
