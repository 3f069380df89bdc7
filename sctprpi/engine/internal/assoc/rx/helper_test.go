package rx

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const B, E, U, I = wire.FlagBegin, wire.FlagEnd, wire.FlagUnordered, wire.FlagImmediate

var seedFlag = flag.Uint64("seed", 0, "replay a random test with this seed")

// eachSeed runs a random test n times, or once with the seed given.
func eachSeed(t *testing.T, n int, test func(t *testing.T, r *rand.Rand)) {
	run := func(seed uint64) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { test(t, rand.New(rand.NewPCG(seed, 0))) })
	}
	if *seedFlag != 0 {
		run(*seedFlag)
		return
	}
	for range n {
		run(rand.Uint64() | 1)
	}
}

// buffers counts references that have not been released.
type buffers struct{ out int }

type reference struct {
	t    testing.TB
	of   *buffers
	gone bool
}

func (b *reference) Release() {
	require.False(b.t, b.gone, "released twice")
	b.gone = true
	b.of.out--
}

func (b *buffers) get(t testing.TB) *reference {
	b.out++
	return &reference{t: t, of: b}
}

const rigTSN wire.TSN = 0xFFFF_FFFD // wraps soon

// tsnOf returns the n-th TSN, counted from 0.
func tsnOf(n int) wire.TSN { return rigTSN + wire.TSN(n) }

// rig is a Reassembly whose buffers are counted.
type rig struct {
	*Reassembly
	t       testing.TB
	buffers buffers
}

func newRig(t testing.TB, options ...func(*Config)) *rig {
	config := Config{InitialTSN: rigTSN, Streams: 10}
	for _, o := range options {
		o(&config)
	}
	r, err := New(config)
	require.NoError(t, err)
	return &rig{Reassembly: r, t: t}
}

func interleaving(c *Config) { c.Interleaving = true }
func partial(c *Config)      { c.PartialReliability = true }
func wholeOnly(c *Config)    { c.Whole = true }

func buffer(n int) func(*Config) { return func(c *Config) { c.Buffer = n } }

// next returns the next Data event, nextOf that of a stream, and whether there is one.
func (r *rig) next() (e socket.Event, ok bool) {
	ok = r.Next(&e)
	return e, ok
}

func (r *rig) nextOf(id socket.StreamID) (e socket.Event, ok bool) {
	ok = r.NextOf(id, &e)
	return e, ok
}

// offer gives a buffer along and takes it back if the chunk is not taken.
func (r *rig) offer(take func(socket.Memory) error) error {
	b := r.buffers.get(r.t)
	err := take(b)
	if err != nil {
		b.Release()
	}
	return err
}

// data offers a DATA chunk whose TSN is the tsn-th, from 0.
func (r *rig) data(flags wire.DataFlags, tsn int, stream socket.StreamID, ssn wire.SSN, payload string) error {
	return r.offer(func(b socket.Memory) error {
		return r.Data(&wire.Data{
			Flags: flags, TSN: tsnOf(tsn), Stream: stream, SSN: ssn, PPID: 7, Payload: []byte(payload),
		}, b)
	})
}

// idata offers an I-DATA chunk.
func (r *rig) idata(flags wire.DataFlags, stream socket.StreamID, mid wire.MID, fsn wire.FSN, payload string) error {
	d := wire.IData{Flags: flags, Stream: stream, MID: mid, FSN: fsn, Payload: []byte(payload)}
	if flags&B != 0 {
		d.PPID = 7
	}
	return r.offer(func(b socket.Memory) error { return r.IData(&d, b) })
}

// read takes all pieces and shows them, separated by spaces: the stream, u if
// unordered, the payload between ( for begin and ) for end, ! for aborted.
func (r *rig) read() string { return r.readFrom(r.next) }

// readOf does so for a stream.
func (r *rig) readOf(id socket.StreamID) string {
	return r.readFrom(func() (socket.Event, bool) { return r.nextOf(id) })
}

func (r *rig) readFrom(next func() (socket.Event, bool)) string {
	var list []string
	for p, ok := next(); ok; p, ok = next() {
		list = append(list, show(p))
		if p.Broken {
			require.Nil(r.t, p.Memory)
		} else {
			require.Equal(r.t, socket.PPID(7), p.PPID)
			p.Memory.Release()
		}
	}
	r.Settle()
	return strings.Join(list, " ")
}

func show(p socket.Event) string {
	var s bytes.Buffer
	fmt.Fprint(&s, p.Stream)
	for _, mark := range []struct {
		is   bool
		text string
	}{{p.Unordered, "u"}, {p.Broken, "!"}, {p.Begin, "("}, {true, string(p.Payload)}, {p.End, ")"}} {
		if mark.is {
			s.WriteString(mark.text)
		}
	}
	return s.String()
}

// requireEmpty checks that nothing is held, nor counted, nor lost.
func (r *rig) requireEmpty() {
	r.t.Helper()
	require.Zero(r.t, r.Held())
	require.Equal(r.t, account{limit: r.held.limit}, r.held)
	require.Zero(r.t, r.partial)
	require.Zero(r.t, r.buffers.out, "buffers not released")
	require.EqualValues(r.t, r.config.Buffer, r.Window())
	require.False(r.t, r.Ready())
	require.Empty(r.t, r.unordered.messages)
	require.Empty(r.t, r.unordered.fragments)
	for s := range r.streams.Used() {
		require.Zero(r.t, s.bytes)
		require.Empty(r.t, s.ordered)
		require.Empty(r.t, s.unordered)
	}
}
