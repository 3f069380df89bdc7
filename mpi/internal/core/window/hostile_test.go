package window

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// deaf is a transport that starts requests and completes none.
type deaf struct {
	rpi.Transport
	started []*rpi.Request
}

func (d *deaf) Start(r *rpi.Request) { d.started = append(d.started, r) }
func (d *deaf) Cancel(*rpi.Request)  {}

// pair is a communicator of two ranks.
type pair struct{}

func (pair) JobRank(rank int) matching.Rank { return matching.Rank(rank) }
func (pair) RankOf(job matching.Rank) int   { return int(job) }
func (pair) Gone(op string, rank int, cause error) *mpierr.Error {
	return mpierr.Because(cause, op, rpi.ErrProcFailed, "gone").About(rank)
}

// xor is all that the target can do for origins.
func xor(op collective.Reduction, kind datatype.Kind) func(left, right []byte) {
	if op != collective.BitXor {
		return nil
	}
	return func(left, right []byte) {
		for i := range left {
			left[i] ^= right[i]
		}
	}
}

// shown returns a window that shows the middle third of memory, and what its transport has got.
func shown(memory []byte) (*Window, *deaf) {
	d := &deaf{}
	w := New(&Process{Transport: d, Continuations: rpi.NewContinuations()}, pair{}, 0, 0, 2, xor)
	third := len(memory) / 3
	w.Show(memory[third:2*third], 4)
	return w, d
}

// from hands a message of rank 1 to the window.
func (w *Window) from(message []byte) {
	w.mu.Lock()
	defer w.finish()
	if h, data, ok := parse(message); ok {
		w.take(w.peer(1), h, data)
	}
}

// FuzzMessages: whatever a member of the job sends, memory outside the window stays as it is, and what the target keeps is
// bounded.
func FuzzMessages(f *testing.F) {
	data := bytes.Repeat([]byte{7}, 16)
	vector, err := datatype.Vector(2, 1, 3, datatype.Basic(datatype.Int32))
	require.NoError(f, err)
	shape, err := vector.AppendBinary(nil)
	require.NoError(f, err)
	backwards, err := datatype.Vector(2, 1, -3, datatype.Basic(datatype.Int32))
	require.NoError(f, err)
	before, err := backwards.AppendBinary(nil)
	require.NoError(f, err)
	for v := verb(0); v <= verbEnd; v++ {
		for _, h := range []header{
			{verb: v, op: collective.BitXor, kind: datatype.Int32, disp: 1, length: 16},
			{verb: v, op: collective.Replace, kind: datatype.Float64, disp: -1, length: 1 << 63},
			{verb: v, op: collective.NoOp, kind: datatype.Byte, disp: 1 << 62, offset: -1 << 63, length: 1 << 40, slot: 15, lock: Shared},
			{verb: v, op: 200, kind: 200, disp: 23, offset: 3, length: 16, slot: 255, lock: Exclusive, id: 9},
		} {
			f.Add(h.append(nil), []byte(data))
		}
		h := header{verb: v, op: collective.BitXor, kind: datatype.Int32, length: 16, shape: uint16(len(shape)), count: 2}
		f.Add(append(h.append(nil), shape...), []byte(data))
		for disp := range int64(5) { // a part of the memory, or all, is before the window
			h := header{verb: v, op: collective.BitXor, kind: datatype.Int32, length: 16, disp: disp, shape: uint16(len(before)), count: 2}
			f.Add(append(h.append(nil), before...), []byte(data))
		}
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		memory := bytes.Repeat([]byte{0x5a}, 3*96)
		w, d := shown(memory)
		for _, message := range [][]byte{first, append(first, second...), second, append(first, second...)} {
			w.from(message[:min(len(message), headerSize+maxData)])
		}
		for _, i := range []int{0, 2} {
			require.Equal(t, bytes.Repeat([]byte{0x5a}, 96), memory[i*96:(i+1)*96])
		}
		for _, r := range d.started {
			if r.Op == rpi.OpRecv && r.Tag >= slotTags && len(r.Buf) > 0 {
				require.GreaterOrEqual(t, address(r.Buf), address(memory[96:]))
				require.LessOrEqual(t, address(r.Buf)+uint64(len(r.Buf)), address(memory[192:]))
			}
		}
	})
}

// An origin that asks and never takes the answers is ignored in the end.
func TestWhatATargetKeepsIsBounded(t *testing.T) {
	for _, h := range []header{
		{verb: get, length: 8},
		{verb: getLong, length: 8},
		{verb: putLong, length: 8},
		{verb: flush},
		{verb: getAccumulate, op: collective.NoOp, kind: datatype.Byte, length: 8},
	} {
		w, d := shown(make([]byte, 3*96))
		w.from(header{verb: putLong, length: 8}.append(nil)) // flushes wait for its data
		for range 10 * maxOwed {
			w.from(h.append(nil))
		}
		require.LessOrEqual(t, len(d.started)+len(w.peers[1].flushes), maxOwed+2, "verb %d", h.verb)
	}
}
