package mpitest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A crowd is several goroutines of a rank that receive from any source, with any tag.
type crowd struct {
	messages []*message
	ways     []int   // to send each
	counts   [][]int // of receives of each goroutine of each rank
}

func (g *generator) crowd(size int) *crowd {
	k := &crowd{counts: make([][]int, size)}
	for rank := range size {
		k.counts[rank] = make([]int, 1+g.IntN(4))
	}
	for id := range 5 + g.IntN(40) {
		m := g.message(id, size)
		m.size += 8 // its number
		k.messages = append(k.messages, m)
		k.ways = append(k.ways, g.startedSend())
		k.counts[m.dest][g.IntN(len(k.counts[m.dest]))]++
	}
	return k
}

func (k *crowd) run(c *mpi.Comm) error {
	counts := k.counts[c.Rank()]
	errs, got := make(chan error, len(counts)), make([]seen, len(counts))
	for i, count := range counts {
		got[i] = seen{}
		go func() { errs <- k.receive(c, i, count, got[i]) }()
	}
	var sends []*mpi.Request
	for i, m := range k.messages {
		if m.source != c.Rank() {
			continue
		}
		r, err := sendBy(c, k.ways[i], m.numbered(), m.dest, m.tag)
		if err != nil {
			return err
		}
		sends = append(sends, r)
	}
	for range counts {
		if err := <-errs; err != nil {
			return err
		}
	}
	if _, err := mpi.WaitAll(context.Background(), sends...); err != nil {
		return err
	}
	var all, want []int
	for _, s := range got {
		all = append(all, s.ids()...)
	}
	slices.Sort(all)
	for _, m := range k.messages {
		if m.dest == c.Rank() {
			want = append(want, m.id)
		}
	}
	if !slices.Equal(all, want) {
		return fmt.Errorf("messages %v have been received and %v sent", all, want)
	}
	return nil
}

// numbered is a body that tells its message's number.
func (m *message) numbered() []byte {
	b := m.body()
	binary.LittleEndian.PutUint64(b, uint64(m.id))
	return b
}

// receive receives so many messages, in ways that other goroutines do not disturb.
func (k *crowd) receive(c *mpi.Comm, goroutine, count int, got seen) error {
	const room = 400 << 10
	buf := make([]byte, room)
	for i := range count {
		way := []int{waitReceive, waitMprobe, loopMprobe, waitSlice, beginMatched, beginReceive}[(i+goroutine)%6]
		b, r, status, err := receiveBy(c, way, buf, mpi.AnySource, mpi.AnyTag)
		if err == nil && r != nil {
			status, err = completeBy(i, r)
		}
		if err != nil {
			return fmt.Errorf("way %d to receive: %w", way, err)
		}
		id := int(binary.LittleEndian.Uint64(b))
		if id < 0 || id >= len(k.messages) {
			return fmt.Errorf("there is no message %d; status %+v", id, status)
		}
		m := k.messages[id]
		if want := (mpi.Status{Source: m.source, Tag: m.tag, Count: m.size, Bytes: m.size}); status != want || m.dest != c.Rank() {
			return fmt.Errorf("way %d to receive message %d, which is for %d: the status is %+v and should be %+v", way, id, m.dest, status, want)
		}
		if !bytes.Equal(b[:m.size], m.numbered()) {
			return fmt.Errorf("way %d to receive: these are not the bytes of message %d", way, id)
		}
		if !got.add(m.source, id) {
			return fmt.Errorf("message %d of %d has come behind a later one", id, m.source)
		}
	}
	return nil
}

// A collective is a collective operation, on vectors of so many elements for each rank.
type collective struct{ what, length, root int }

const collectiveKinds = 9

func (g *generator) collectives(size int) (all []collective) {
	for range 1 + g.IntN(15) {
		all = append(all, collective{
			what: g.IntN(collectiveKinds), root: g.IntN(size),
			length: []int{0, 1, 3, 100, 1 + g.IntN(3000), 1 + g.IntN(30_000)}[g.IntN(6)],
		})
	}
	return all
}

// value is element i of a rank's vector for another, or for all.
func value(rank, other, i int) int64 {
	return int64(rank+1)*1_000_003 + int64(other)*7919 + int64(i)*31
}

func values(n int, f func(i int) int64) []int64 {
	v := make([]int64, n)
	for i := range v {
		v[i] = f(i)
	}
	return v
}

func runCollectives(c *mpi.Comm, all []collective) error {
	for i, k := range all {
		got, want, err := k.run(c)
		if err != nil || !slices.Equal(got, want) {
			return fmt.Errorf("collective %d, %+v: wrong result, or error %w", i, k, err)
		}
	}
	return nil
}

// run returns what a rank has got of a collective, and what it should have.
func (k collective) run(c *mpi.Comm) (got, want []int64, err error) {
	n, size, me := k.length, c.Size(), c.Rank()
	of := func(rank int) []int64 { return values(n, func(i int) int64 { return value(rank, 0, i) }) }
	sum := func(ranks int) []int64 {
		return values(n, func(i int) (s int64) {
			for rank := range ranks {
				s += value(rank, 0, i)
			}
			return s
		})
	}
	blocks := values(n*size, func(i int) int64 { return value(i/max(n, 1), 0, i%max(n, 1)) })
	mine, one, many := of(me), make([]int64, n), make([]int64, n*size)
	root := func(got, want []int64) ([]int64, []int64) {
		if me != k.root {
			return nil, nil
		}
		return got, want
	}
	switch k.what {
	case 0:
		return nil, nil, c.Barrier()
	case 1:
		err = mpi.Bcast(c, mine, k.root)
		return mine, of(k.root), err
	case 2:
		err = mpi.Reduce(c, mine, one, mpi.Sum, k.root)
		got, want = root(one, sum(size))
	case 3:
		return one, sum(size), mpi.Allreduce(c, mine, one, mpi.Sum)
	case 4:
		return one, sum(me + 1), mpi.Scan(c, mine, one, mpi.Sum)
	case 5:
		err = mpi.Gather(c, mine, many, k.root)
		got, want = root(many, blocks)
	case 6:
		return one, mine, mpi.Scatter(c, blocks, one, k.root)
	case 7:
		return many, blocks, mpi.Allgather(c, mine, many)
	default:
		out := values(n*size, func(i int) int64 { return value(me, i/max(n, 1), i%max(n, 1)) })
		in := values(n*size, func(i int) int64 { return value(i/max(n, 1), me, i%max(n, 1)) })
		return many, in, mpi.Alltoall(c, out, many)
	}
	return got, want, err
}
