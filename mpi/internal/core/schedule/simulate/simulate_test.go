package simulate_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule/simulate"
)

func out(offset, length int) schedule.Part {
	return schedule.Part{Buffer: schedule.Out, Offset: offset, Length: length}
}

// swap exchanges the halves of 8 bytes of two ranks, over scratch memory.
func swap(b *schedule.Builder, rank int) {
	s := b.Scratch(4)
	sent := b.Send(1-rank, out(0, 4))
	b.Copy(out(0, 4), s, sent, b.Recv(1-rank, s))
}

func run(t *testing.T, n, length int, build simulate.Build) ([]simulate.Memory, error) {
	t.Helper()
	memory := make([]simulate.Memory, n)
	for i := range memory {
		memory[i].Out = make([]byte, length)
		for j := range memory[i].Out {
			memory[i].Out[j] = byte(16*i + j)
		}
	}
	err := simulate.Run(rand.New(rand.NewPCG(1, 2)), simulate.Schedules(n, build), memory, nil)
	return memory, err
}

func TestRunMovesBytes(t *testing.T) {
	memory, err := run(t, 2, 4, swap)
	require.NoError(t, err)
	assert.Equal(t, []byte{16, 17, 18, 19}, memory[0].Out)
	assert.Equal(t, []byte{0, 1, 2, 3}, memory[1].Out)
}

// The n-th message belongs to the n-th receive, whatever is ready first.
func TestRunKeepsTheOrderOfAChannel(t *testing.T) {
	for range 20 {
		memory, err := run(t, 2, 4, func(b *schedule.Builder, rank int) {
			for i := range 4 {
				if rank == 0 {
					b.Send(1, out(i, 1))
				} else {
					b.Recv(0, out(3-i, 1))
				}
			}
		})
		require.NoError(t, err)
		require.Equal(t, []byte{3, 2, 1, 0}, memory[1].Out)
	}
}

func TestRunFails(t *testing.T) {
	for name, c := range map[string]struct {
		message string
		build   simulate.Build
	}{
		"length": {"step 0 of rank 0 sends 3 bytes to step 0 of rank 1, which receives 4 bytes", func(b *schedule.Builder, rank int) {
			if rank == 0 {
				b.Send(1, out(0, 3))
			} else {
				b.Recv(0, out(0, 4))
			}
		}},
		"deadlock": {"(send out[0:1] to 1) waits for 1", func(b *schedule.Builder, rank int) {
			b.Send(1-rank, out(0, 1), b.Recv(1-rank, out(1, 1)))
		}},
		"no message": {"from rank 1 to rank 0 there are 0 messages and 1 receives too many", func(b *schedule.Builder, rank int) {
			if rank == 0 {
				b.Recv(1, out(0, 1))
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := run(t, 2, 4, c.build)
			assert.ErrorContains(t, err, c.message)
		})
	}
}

func TestCheck(t *testing.T) {
	for message, build := range map[string]func(b *schedule.Builder){
		"": func(b *schedule.Builder) { swap(b, 0) },
		"step 0 (send out[0:4] to 1) and step 1 (recv out[2:6] from 1) meet": func(b *schedule.Builder) {
			b.Send(1, out(0, 4))
			b.Recv(1, out(2, 4))
		},
		"step 1 (copy out[0:4], out[3:7]) meets itself": func(b *schedule.Builder) { b.Copy(out(0, 4), out(3, 4), b.Send(1, out(0, 4))) },
		"step 0 (recv scratch[10:30] from 1) leaves its memory": func(b *schedule.Builder) {
			b.Recv(1, schedule.Part{Buffer: schedule.Scratch, Offset: b.Scratch(8).Offset + 10, Length: 20})
		},
	} {
		err := simulate.Check(simulate.Schedules(1, func(b *schedule.Builder, _ int) { build(b) })[0])
		if message == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, message)
		}
	}
}

// Ten messages to one rank come through its port one after the other; a chain takes the latency at each hop.
func TestTime(t *testing.T) {
	network := simulate.Network{Latency: 10 * time.Microsecond, Bandwidth: 1e9}
	many, err := simulate.Time(11, network, func(b *schedule.Builder, rank int) {
		if rank == 0 {
			for i := range 10 {
				b.Recv(i+1, out(i*1000, 1000))
			}
		} else {
			b.Send(0, out(0, 1000))
		}
	})
	require.NoError(t, err)
	assert.InDelta(t, 20*time.Microsecond, many, 10)
	chain, err := simulate.Time(11, network, func(b *schedule.Builder, rank int) {
		here := schedule.Start
		if rank > 0 {
			here = b.Recv(rank-1, out(0, 1000))
		}
		if rank < 10 {
			b.Send(rank+1, out(0, 1000), here)
		}
	})
	require.NoError(t, err)
	assert.InDelta(t, 110*time.Microsecond, chain, 10)
}
