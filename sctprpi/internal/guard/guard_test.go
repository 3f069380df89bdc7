package guard

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

var (
	secret = seal.NewSecret([]byte("the job's secret"), "test")
	here   = netip.MustParseAddrPort("192.0.2.1:1000")
	there  = netip.MustParseAddrPort("192.0.2.2:2000")
)

// id returns an ID that the secret has marked; those of lower numbers are less.
func id(n byte) seal.ID {
	ids.Lock()
	defer ids.Unlock()
	for ids.of[n] == (seal.ID{}) {
		drawn := secret.Marker().NewID()
		ids.of[drawn[0]] = drawn
	}
	return ids.of[n]
}

var ids struct {
	sync.Mutex
	of [256]seal.ID
}

// node is a guard at an address. Its policy is seal.AlwaysEncrypt unless a test says another one.
type node struct {
	*Guard
	testing.TB
	at  netip.AddrPort
	now time.Duration
}

func newNode(t testing.TB, n byte, at netip.AddrPort, policy seal.Policy) *node {
	return &node{New(secret, seal.Identity{ID: id(n), Policy: policy, AES: seal.HasAES()}, nodes), t, at, time.Second}
}

// nodes is how many peers a node has at most.
const nodes = 2

// pair are two nodes, of which the first knows the second. It has the lower ID.
func pair(t testing.TB, policy seal.Policy) (a, b *node) {
	a, b = newNode(t, 1, here, policy), newNode(t, 2, there, policy)
	require.NoError(t, a.Know(b.own, []netip.AddrPort{b.at}))
	return a, b
}

// seal seals a packet for another node.
func (n *node) seal(packet string, to *node) []byte {
	n.Helper()
	before, behind := n.Overhead()
	b := append(make([]byte, before, before+len(packet)+behind), packet...)
	sealed, ok := n.Seal(n.now, b, to.at)
	require.True(n, ok)
	require.Len(n, sealed, before+len(packet)+behind)
	return sealed
}

// opens takes a copy of a datagram in, and requires that it has a packet.
func (n *node) opens(datagram []byte, from *node, packet string) {
	n.Helper()
	got, _, ok := n.Open(n.now, bytes.Clone(datagram), from.at)
	require.True(n, ok, "%+v", n.Stats())
	require.Equal(n, packet, string(got))
}

// refuses takes in a datagram that has no effect.
func (n *node) refuses(datagram []byte, from *node) {
	n.Helper()
	_, _, ok := n.Open(n.now, bytes.Clone(datagram), from.at)
	require.False(n, ok)
}

// control gives what a node's guard has to send itself to another node, and returns it.
func (n *node) control(to *node) (sent [][]byte) {
	for b, _, ok := n.Next(); ok; b, _, ok = n.Next() {
		to.refuses(b, n) // it is no packet
		sent = append(sent, b)
	}
	return sent
}

// say sends a packet to another node, with all that the guards have to say to each other.
func (n *node) say(packet string, to *node) {
	n.Helper()
	to.opens(n.seal(packet, to), n, packet)
	n.control(to)
	to.control(n)
}

func (n *node) epoch(peer *node) uint32 { return n.sessions[peer.Guard.own.ID].sending.epoch }

// TestPackets: of both directions, in each mode, and what can be read of them.
func TestPackets(t *testing.T) {
	for _, policy := range []seal.Policy{seal.AlwaysAuth, seal.AlwaysEncrypt, seal.Auto} {
		t.Run(policy.String(), func(t *testing.T) {
			a, b := pair(t, policy)
			for i := range 5 {
				text := fmt.Sprintf("a packet of many, number %d", i)
				d := a.seal(text, b)
				assert.Equal(t, policy == seal.AlwaysAuth, bytes.Contains(d, []byte("a packet")))
				b.opens(d, a, text)
				a.say(text, b)
				b.say(text, a)
			}
			assert.Equal(t, Stats{Rekeyed: a.Stats().Rekeyed}, a.Stats())
		})
	}
}

// TestWhatIsNotGenuineIsDropped, each bit that is flipped, each byte that is missing, and what comes again.
func TestWhatIsNotGenuineIsDropped(t *testing.T) {
	for _, policy := range []seal.Policy{seal.AlwaysAuth, seal.AlwaysEncrypt} {
		a, b := pair(t, policy)
		first, d := a.seal("one", b), a.seal("two", b)
		for _, known := range []bool{false, true} {
			for bit := range 8 * len(d) {
				bad := bytes.Clone(d)
				bad[bit/8] ^= 1 << (bit % 8)
				b.now += time.Second // budgets are of another test
				b.refuses(bad, a)
			}
			for n := range d {
				b.now += time.Millisecond
				b.refuses(d[:n], a)
			}
			b.refuses(append(bytes.Clone(d), 0), a)
			a.refuses(d, b) // reflected
			if !known {
				assert.Empty(t, b.sessions, "strangers leave nothing")
				assert.Empty(t, b.routes)
				b.opens(first, a, "one")
			}
		}
		b.opens(d, a, "two")
		replayed := b.Stats().Replayed
		b.refuses(d, a)
		b.refuses(first, a)
		assert.Equal(t, replayed+2, b.Stats().Replayed)
		assert.NotZero(t, b.Stats().Forged)
		assert.NotZero(t, b.Stats().Strangers)
		assert.EqualValues(t, 2*1, a.Stats().Strangers)
		_, _, any := b.Next()
		assert.False(t, any, "nothing is answered")
	}
}

// TestOtherTokensAndReceivers: what is for one job or process opens in no other.
func TestOtherTokensAndReceivers(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	other := newNode(t, 2, there, seal.AlwaysEncrypt)
	other.secret = seal.NewSecret([]byte("another job's secret"), "test")
	third := newNode(t, 3, there, seal.AlwaysEncrypt)
	quiet := newNode(t, 2, there, seal.AlwaysAuth)
	d := a.seal("for b", b)
	other.refuses(d, a)
	third.refuses(d, a)
	quiet.refuses(d, a) // of another policy
	b.opens(d, a, "for b")
	assert.ErrorContains(t, a.Know(quiet.own, nil), "set SCTPMPI_ENCRYPT alike")
	assert.ErrorIs(t, a.Know(a.own, nil), errSelf)
	assert.Empty(t, other.sessions)
}

// TestUnknownAddressGetsNothing: there is no key for it.
func TestUnknownAddressGetsNothing(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	_, ok := b.Seal(time.Second, make([]byte, 100, 200), a.at)
	assert.False(t, ok)
	assert.EqualValues(t, 1, b.Stats().Unknown)
}

// TestPeerThatMoves is answered where it was heard, and a stranger changes nothing.
func TestPeerThatMoves(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	a.say("hello", b)
	for port := range uint16(20) {
		a.at = netip.AddrPortFrom(here.Addr(), 3000+port)
		d := a.seal("moved", b)
		evil := *a
		evil.at = netip.MustParseAddrPort("198.51.100.1:1")
		b.refuses(d[:40], &evil)
		b.opens(d, a, "moved")
		b.say("found", a)
		_, ok := b.Seal(b.now, make([]byte, 100, 200), evil.at)
		assert.False(t, ok)
	}
	assert.LessOrEqual(t, len(b.routes), 8)
}

// sender opens a datagram that has come from an address, and returns where its sender is said to be.
func (n *node) sender(datagram []byte, from netip.AddrPort) (at netip.AddrPort) {
	n.Helper()
	_, sender, ok := n.Open(n.now, bytes.Clone(datagram), from)
	require.True(n, ok)
	require.NotZero(n, sender.ID)
	return sender.At
}

// TestCopiesThatAreFaster open, once, and lead nothing astray: neither what is sealed for the peer, nor the change of keys.
func TestCopiesThatAreFaster(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	require.NoError(t, b.Know(a.own, []netip.AddrPort{a.at}))
	copier := netip.MustParseAddrPort("198.51.100.1:1")
	for range 3 {
		d := a.seal("hello", b)
		assert.Equal(t, a.at, b.sender(d, copier), "it has published its address")
		b.refuses(d, a)
		for request, _, ok := a.Next(); ok; request, _, ok = a.Next() {
			_, _, packet := b.Open(b.now, request, copier)
			require.False(t, packet)
			_, _, answered := b.Next()
			require.False(t, answered)
		}
		a.opens(b.seal("hello", a), b, "hello")
		for answer, to, ok := b.Next(); ok; answer, to, ok = b.Next() {
			require.Equal(t, a.at, to)
			a.refuses(answer, b)
		}
	}
	assert.EqualValues(t, 1, b.epoch(a))
}

// TestPeerWithCopiesIsLookedUp: as long as it has not been, it may be where its datagrams have come from.
func TestPeerWithCopiesIsLookedUp(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	reports := 0
	b.OnRefusal(func() { reports++ })
	copier := netip.MustParseAddrPort("198.51.100.1:1")
	d := a.seal("hello", b)
	assert.Equal(t, copier, b.sender(d, copier))
	assert.Zero(t, reports)
	b.refuses(d, a)
	assert.Equal(t, 1, reports, "an original after its copy")
	b.opens(a.seal("hello", b), a, "hello")
	assert.Equal(t, 2, reports, "another address")
	require.NoError(t, b.Know(a.own, []netip.AddrPort{a.at}))
	d = a.seal("hello", b)
	assert.Equal(t, a.at, b.sender(d, copier))
	b.refuses(d, a)
	assert.Equal(t, 2, reports)
}

// TestCopiesFromManyAddresses do not have a guard forget where a peer is that has been answered.
func TestCopiesFromManyAddresses(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	a.say("hello", b)
	b.say("hello", a)
	for port := range uint16(100) {
		b.sender(a.seal("hello", b), netip.AddrPortFrom(netip.MustParseAddr("198.51.100.1"), 1+port))
	}
	b.say("found", a)
	assert.LessOrEqual(t, len(b.routes), 8)
}

// TestPublishedAddressStaysItsPeers, whatever comes from there.
func TestPublishedAddressStaysItsPeers(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	c := newNode(t, 3, there, seal.AlwaysEncrypt)
	require.NoError(t, c.Know(a.own, []netip.AddrPort{a.at}))
	a.opens(c.seal("from b's address", a), c, "from b's address")
	b.opens(a.seal("for b", b), a, "for b")
}

// TestFloodOfMadeUpSenders delays no peer, though none has been looked up: IDs that no process of the job has drawn cost no budget.
func TestFloodOfMadeUpSenders(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	d := a.seal("hello", b)
	random := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		bad := bytes.Clone(d)
		for i := range bad[4:] {
			bad[4+i] = byte(random.Uint32())
		}
		bad[1], bad[2], bad[3] = 0, 0, 0
		b.refuses(bad, a)
	}
	assert.EqualValues(t, 10_000, b.Stats().Strangers)
	assert.Empty(t, b.sessions)
	b.opens(d, a, "hello")
}

// TestFloodOfUnknownSenders costs no more than the budget, and no state: their IDs have been seen on the way.
func TestFloodOfUnknownSenders(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	d := a.seal("hello", b)
	for i := range 10_000 {
		bad := bytes.Clone(d)
		bad[headerSize+i%4]++
		b.refuses(bad, a)
	}
	assert.False(t, b.strangers.Take(b.now))
	b.refuses(d, a) // it is not tried any more
	b.now += time.Second
	b.opens(d, a, "hello")
	assert.Len(t, b.sessions, 1)
}

// TestRefusalsOfUnknownIDsAreReported, and no others: a peer that is then looked up is heard in the flood.
func TestRefusalsOfUnknownIDsAreReported(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	reports := 0
	b.OnRefusal(func() { reports++ })
	d := a.seal("hello", b)
	flood := func() {
		for range 1_000 {
			bad := bytes.Clone(d)
			bad[len(bad)-1]++
			b.refuses(bad, a)
		}
	}
	flood()
	assert.Equal(t, 1_000-(2*nodes+strangerSpare), reports)
	b.refuses(d, a)
	require.NoError(t, b.Know(a.own, []netip.AddrPort{a.at}))
	b.opens(d, a, "hello")

	c := newNode(t, 3, netip.MustParseAddrPort("192.0.2.3:3000"), seal.AlwaysEncrypt)
	require.NoError(t, c.Know(b.own, []netip.AddrPort{b.at}))
	require.NoError(t, b.Know(c.own, []netip.AddrPort{c.at}))
	reports, d = 0, c.seal("hello", b)
	flood()
	assert.Zero(t, reports, "what is forged in the name of a peer that is known")
}

// TestFloodDoesNotConcernKnownPeers: each has a budget of its own, which a flood in its name uses up, and no other.
func TestFloodDoesNotConcernKnownPeers(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	c := newNode(t, 3, netip.MustParseAddrPort("192.0.2.3:3000"), seal.AlwaysEncrypt)
	for _, peer := range []*node{a, c} {
		require.NoError(t, b.Know(peer.own, []netip.AddrPort{peer.at}))
	}
	require.NoError(t, c.Know(b.own, []netip.AddrPort{b.at}))
	fromA, fromC, unknown := a.seal("hello", b), c.seal("hello", b), id(4)
	for i := range 10_000 {
		bad := bytes.Clone(fromC) // its ID, which can be read
		bad[len(bad)-1]++
		if i%2 == 0 {
			copy(bad[4:], unknown[:])
		}
		b.refuses(bad, c)
	}
	b.opens(fromA, a, "hello")
	b.refuses(fromC, c)
	b.now += time.Second
	b.opens(fromC, c, "hello")
}

// TestQuotes: an ICMP message counts if it is about a datagram that was sent.
func TestQuotes(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	d := a.seal("hello", b)
	assert.True(t, a.Quotes(d[:headerSize], b.at))
	assert.False(t, a.Quotes(d[:headerSize-1], b.at))
	assert.False(t, a.Quotes(d, a.at))
	later := bytes.Clone(d)
	later[headerSize-1]++
	later[headerSize-2]++
	assert.False(t, a.Quotes(later, b.at))
	assert.False(t, b.Quotes(d, b.at))
}
