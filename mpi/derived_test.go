package mpi_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// derived is a random datatype, and what it means: where each of its basic elements is, in the order of sending.
type derived struct {
	*datatype.Type
	kinds []datatype.Kind
	disps []int64
}

// sequence of kinds that types of a test have in common.
func kindsOf(r *rand.Rand) (kinds []datatype.Kind) {
	some := []datatype.Kind{datatype.Int8, datatype.Int16, datatype.Int32, datatype.Float64, datatype.Complex128}
	for range 1 + r.IntN(3) {
		run := slices.Repeat([]datatype.Kind{some[r.IntN(len(some))]}, 1+r.IntN(4))
		kinds = append(kinds, run...)
	}
	return slices.Repeat(kinds, 1+r.IntN(3))
}

// spread returns a datatype of the kinds whose elements lie anywhere, without overlapping.
func spread(r *rand.Rand, kinds []datatype.Kind) derived {
	d := spreadPlain(r, kinds)
	if r.IntN(3) == 0 { // bounds that leave gaps, and may begin before or behind the address
		low, size := d.TrueLowerBound()-r.Int64N(20), d.TrueExtent()
		t, err := datatype.Resized(d.Type, low, size+40)
		noError(err)
		d.Type = t
	}
	return d
}

func spreadPlain(r *rand.Rand, kinds []datatype.Kind) derived {
	n := len(kinds)
	if n == 1 {
		return derived{datatype.Basic(kinds[0]), kinds, []int64{0}}
	}
	for parts := n; parts > 1; parts-- { // equal parts, if there are any
		if part := kinds[:n/parts]; n%parts == 0 && slices.Equal(kinds, slices.Repeat(part, parts)) && r.IntN(3) > 0 {
			inner := spread(r, part)
			stride := inner.TrueExtent() + r.Int64N(3)*4
			if r.IntN(3) == 0 {
				stride = -stride
			}
			t, err := datatype.Hvector(int64(parts), 1, stride, inner.Type)
			noError(err)
			d := derived{t, kinds, nil}
			for i := range int64(parts) {
				for _, disp := range inner.disps {
					d.disps = append(d.disps, disp+i*stride)
				}
			}
			return d
		}
	}
	cut := 1 + r.IntN(n-1)
	left, right := spread(r, kinds[:cut]), spread(r, kinds[cut:])
	one, other := r.Int64N(64)-32, int64(0)
	gap := r.Int64N(2) * r.Int64N(24)
	if r.IntN(2) == 0 { // right is behind left
		other = one + left.TrueLowerBound() + left.TrueExtent() + gap - right.TrueLowerBound()
	} else {
		other = one + left.TrueLowerBound() - gap - right.TrueLowerBound() - right.TrueExtent()
	}
	t, err := datatype.Struct([]int64{1, 1}, []int64{one, other}, []*datatype.Type{left.Type, right.Type})
	noError(err)
	d := derived{t, kinds, nil}
	for _, disp := range left.disps {
		d.disps = append(d.disps, disp+one)
	}
	for _, disp := range right.disps {
		d.disps = append(d.disps, disp+other)
	}
	return d
}

func noError(err error) {
	if err != nil {
		panic(err)
	}
}

// memory is memory for some elements of a datatype, with random contents.
type memory struct {
	derived
	bytes []byte
	base  int64
	count int
}

func (d derived) memory(r *rand.Rand, count int) memory {
	if d.Extent() < d.TrueExtent() { // elements of an array must not overlap
		t, err := datatype.Resized(d.Type, d.TrueLowerBound(), d.TrueExtent())
		noError(err)
		d.Type = t
	}
	low, high, err := d.Span(int64(count))
	noError(err)
	base := max(0, -low)
	m := memory{d, make([]byte, base+max(high, 0)+1), base, count}
	for i := range m.bytes {
		m.bytes[i] = byte(r.Uint32())
	}
	return m
}

func (m memory) data() mpi.Data { return mpi.DataOf(unsafe.Pointer(&m.bytes[m.base]), m.count, m.Type) }

// each calls f with the places of all bytes that the elements name, in the order of sending.
func (m memory) each(f func(at int64)) {
	for i := range int64(m.count) {
		for k, disp := range m.disps {
			for b := range m.kinds[k].Size() {
				f(m.base + i*m.Extent() + disp + b)
			}
		}
	}
}

// message is what is sent for m.
func (m memory) message() (bytes []byte) {
	m.each(func(at int64) { bytes = append(bytes, m.bytes[at]) })
	return bytes
}

// after is the memory when a message has been received.
func (m memory) after(message []byte) []byte {
	bytes := slices.Clone(m.bytes)
	m.each(func(at int64) {
		if len(message) > 0 {
			bytes[at], message = message[0], message[1:]
		}
	})
	return bytes
}

// derivedSeeds are the seeds of the random tests.
func derivedSeeds() (first, n uint64) {
	if os.Getenv("SCTPMPI_TEST_LONG") != "" {
		return rand.Uint64(), 300
	}
	return rand.Uint64(), 12
}

// A message of any datatype is received as any other of the same kinds, in each way that there is, and what lies between
// the elements is never touched.
func TestRandomDatatypes(t *testing.T) {
	first, n := derivedSeeds()
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		for seed := first; seed < first+n; seed++ {
			r := rand.New(rand.NewPCG(seed, 0))
			kinds := kindsOf(r)
			from, to := spread(r, kinds), spread(r, kinds)
			count := 1 + r.IntN(1+r.IntN(200))
			way, more := r.IntN(5), r.IntN(3)
			out, in := from.memory(r, count), to.memory(r, count+more)
			name := fmt.Sprintf("seed %d: %s", seed, from.Name())
			if world.Rank() == 0 {
				switch way {
				case 0:
					require.NoError(t, mpi.SendData(world, out.data(), 1, 0), name)
				case 1:
					request, err := mpi.IssendData(world, out.data(), 1, 0)
					require.NoError(t, err, name)
					wait(t, request)
				case 2:
					require.NoError(t, mpi.BsendData(world, out.data(), 1, 0), name)
				case 3:
					require.NoError(t, mpi.SsendData(world, out.data(), 1, 0), name)
				default:
					request, err := mpi.SendDataInit(world, out.data(), 1, 0)
					require.NoError(t, err, name)
					require.NoError(t, request.Start(), name)
					wait(t, request)
					require.NoError(t, request.Free(), name)
				}
				continue
			}
			want := in.after(out.message())
			var status mpi.Status
			var err error
			switch (way + more) % 5 {
			case 0:
				status, err = mpi.RecvData(world, in.data(), 0, 0)
			case 1:
				request, e := mpi.IrecvData(world, in.data(), 0, 0)
				require.NoError(t, e, name)
				status, err = request.Wait(t.Context())
			case 2:
				m, _, e := world.Mprobe(0, 0)
				require.NoError(t, e, name)
				status, err = mpi.MrecvData(m, in.data())
			case 3:
				m, _, e := world.Mprobe(0, 0)
				require.NoError(t, e, name)
				request, e := mpi.ImrecvData(m, in.data())
				require.NoError(t, e, name)
				status, err = request.Wait(t.Context())
			default:
				request, e := mpi.RecvDataInit(world, in.data(), 0, 0)
				require.NoError(t, e, name)
				require.NoError(t, request.Start(), name)
				status, err = request.Wait(t.Context())
				require.NoError(t, request.Free(), name)
			}
			require.NoError(t, err, name)
			require.Equal(t, len(out.message()), status.Bytes, name)
			require.Equal(t, want, in.bytes, name)
		}
	}, mpi.WithEagerLimit(eagerLimit))
}

// So it is in collective operations, in which each rank may have another datatype.
func TestRandomDatatypesInCollectives(t *testing.T) {
	first, n := derivedSeeds()
	const size = 3
	ranks(t, size, func(t *testing.T, world *mpi.Comm) {
		for seed := first; seed < first+n/2; seed++ {
			common := rand.New(rand.NewPCG(seed, 0)) // for what all ranks must know
			kinds := kindsOf(common)
			count, root := 1+common.IntN(40), common.IntN(size)
			var one, all [size]memory
			for i := range one {
				one[i] = spread(common, kinds).memory(common, count)
				all[i] = spread(common, kinds).memory(common, count*size)
			}
			name := fmt.Sprintf("seed %d: %s", seed, one[0].Name())
			me := world.Rank()
			mine, whole := one[me], all[me]
			var gathered, exchanged []byte
			length := len(one[0].message())
			for i := range one {
				gathered = append(gathered, one[i].message()...)
				exchanged = append(exchanged, all[i].message()[me*length:][:length]...)
			}
			scattered := all[root].message()[me*length:][:length]
			check := func(what string, m memory, want []byte, err error) {
				require.NoError(t, err, "%s: %s", name, what)
				require.Equal(t, want, m.bytes, "%s: %s", name, what)
			}
			fresh := func(m memory) memory { m.bytes = slices.Clone(m.bytes); return m }

			b, want := fresh(mine), mine.after(one[root].message())
			check("Bcast", b, want, mpi.BcastData(world, b.data(), root))
			b, want = fresh(whole), whole.bytes
			if me == root {
				want = whole.after(gathered)
			}
			check("Gather", b, want, mpi.GatherData(world, mine.data(), b.data(), root))
			b = fresh(mine)
			check("Scatter", b, mine.after(scattered), mpi.ScatterData(world, whole.data(), b.data(), root))
			b = fresh(whole)
			check("Allgather", b, whole.after(gathered), mpi.AllgatherData(world, mine.data(), b.data()))
			b = fresh(whole)
			check("Alltoall", b, whole.after(exchanged), mpi.AlltoallData(world, whole.data(), b.data()))
			// A persistent one packs what is there at each start.
			from := fresh(mine)
			b = fresh(whole)
			request, err := mpi.AllgatherDataInit(world, from.data(), b.data())
			require.NoError(t, err, name)
			clear(from.bytes)
			for range 2 {
				require.NoError(t, request.Start(), name)
				_, err = request.Wait(t.Context())
				check("AllgatherInit", b, whole.after(make([]byte, size*length)), err)
			}
			require.NoError(t, request.Free(), name)
		}
	}, mpi.WithEagerLimit(eagerLimit))
}
