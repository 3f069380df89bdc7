package packet

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

var peer = netip.MustParseAddrPort("192.0.2.1:9899")

// add makes a packet of a common header, some payload, a chunk and more payload.
func add(b *Batch, payload []byte) {
	b.Begin(Packet{To: peer})
	b.Head = wire.AppendHeader(b.Head, wire.Header{SourcePort: 1, DestinationPort: 2, Tag: 3})
	b.Payload(payload[:2], payload[2:])
	b.Head = wire.AppendCookieAck(b.Head)
	b.Payload(payload)
	b.End()
}

// A packet is what was appended, in that order, whether or not the Batch had to
// grow while it was made, and its checksum covers all of it.
func TestPacketsAreWhatWasAppended(t *testing.T) {
	payload := []byte("payload!")
	var b Batch
	for range 3 { // the second time without growing
		b.Reset()
		for range 100 {
			add(&b, payload)
		}
		b.Seal()
		require.Equal(t, 100, b.Len())
		for i := range b.Packets() {
			p := &b.Packets()[i]
			whole := slices.Concat(b.Parts(p)...)
			assert.Len(t, whole, p.Size)
			assert.Equal(t, peer, p.To)
			assert.True(t, wire.VerifyChecksum(whole, false))
			assert.Equal(t, "payload!\x0b\x00\x00\x04payload!", string(whole[wire.HeaderSize:]))
		}
	}
}

func TestCancelLeavesNothing(t *testing.T) {
	var b Batch
	add(&b, []byte("kept"))
	b.Begin(Packet{To: peer})
	b.Head = append(b.Head, "head"...)
	b.Payload([]byte("taken back"))
	b.Head = append(b.Head, "head"...)
	assert.Equal(t, 18, b.Size())
	b.Cancel()
	add(&b, []byte("also kept"))
	b.Seal()
	require.Equal(t, 2, b.Len())
	for i := range b.Packets() {
		assert.True(t, wire.VerifyChecksum(slices.Concat(b.Parts(&b.Packets()[i])...), false))
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	var b Batch
	payload := []byte("payload!")
	pass := func() {
		b.Reset()
		for range 10 {
			add(&b, payload)
		}
		b.Seal()
	}
	pass()
	assert.Zero(t, testing.AllocsPerRun(100, pass))
}

// A Buffer is lent until its last reference is given up, once.
func TestBuffersCountReferences(t *testing.T) {
	var p Pool
	for _, n := range []int{1, 128, 129, 1500, MaxSize, MaxSize + 1} {
		b := p.Get(n)
		assert.Len(t, b.Bytes, n)
		b.Retain(2)
		b.Release()
		b.Release()
		assert.Equal(t, 1, p.Lent())
		b.Release()
		assert.Zero(t, p.Lent())
		assert.Panics(t, b.Release)
		b.refs.Store(0)
	}
}

// TestBuffersAreLittleLongerThanWhatTheyAreFor: an eighth at most, and each goes back to where it came from.
func TestBuffersAreLittleLongerThanWhatTheyAreFor(t *testing.T) {
	classes := 0
	for shortest := 1; shortest <= MaxSize+1; classes++ { // of a class
		number, size := class(shortest)
		require.Equal(t, classes, number)
		require.GreaterOrEqual(t, size, shortest)
		require.LessOrEqual(t, size, max(least, shortest+shortest/steps))
		longest, same := class(size)
		require.Equal(t, []int{number, size}, []int{longest, same})
		shortest = size + 1
	}
	require.Equal(t, len(new(Pool).classes), classes)
}
