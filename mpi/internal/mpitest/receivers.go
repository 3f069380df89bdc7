package mpitest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// receivers are several goroutines of a rank that receive from any source, with any tag.
type receivers struct {
	messages []*message
	ways     []int   // to send each
	counts   [][]int // of receives of each goroutine of each rank
}

func (g *generator) receivers(size int) *receivers {
	k := &receivers{counts: make([][]int, size)}
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

func (k *receivers) run(c *mpi.Comm) error {
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

// receive receives count messages, in ways that work beside other goroutines that receive.
func (k *receivers) receive(c *mpi.Comm, goroutine, count int, got seen) error {
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
