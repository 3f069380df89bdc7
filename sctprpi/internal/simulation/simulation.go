// Package simulation runs jobs of two processes over the engine on a simulated network, for the tests of the transports
// over SCTP. Time passes in it only while something is awaited.
package simulation

import (
	"context"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Job is a job of two processes with a transport of type T.
type Job[T rpi.Transport] struct {
	T     *testing.T
	World *enginetest.World
	Ranks [2]T

	at      [2][]netip.Addr
	release func(T)
}

// Design is the transport of a job. Release has it send what waits for other messages.
type Design[T rpi.Transport] struct {
	New     func(rpi.Config, associations.Options) (T, error)
	Release func(T)
	// Sealed seals what is sent, as the job's token lets it.
	Sealed bool
	// Before, if set, is called before the processes connect.
	Before func(*enginetest.World)
	// Paths is how many networks join the processes, of which each has an address on all of them. 0: one.
	Paths int
}

// Start starts a job and connects its processes, whose sockets tune may change.
func Start[T rpi.Transport](t *testing.T, d Design[T], o associations.Options, c enginetest.Conditions, tune ...func(*socket.Config)) *Job[T] {
	j := &Job[T]{T: t, World: enginetest.New(1), release: d.Release}
	o.Listen = func(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
		for _, change := range tune {
			change(&c)
		}
		return j.World.Listen(c, local, port)
	}
	for network := range max(1, d.Paths) {
		for rank := range j.at {
			j.at[rank] = append(j.at[rank], netip.AddrFrom4([4]byte{10, 0, byte(network), byte(1 + rank)}))
		}
		j.World.Duplex(j.at[0][network], j.at[1][network], c)
	}
	encrypt := seal.Off
	if d.Sealed {
		encrypt = seal.AlwaysEncrypt
	}
	if d.Before != nil {
		d.Before(j.World)
	}
	for rank := range j.Ranks {
		var err error
		j.Ranks[rank], err = d.New(rpi.Config{
			Rank: rank, Size: 2, Token: []byte("secret"), Encrypt: encrypt, Bind: j.at[rank],
			Lookup: func(_ context.Context, peer int) (string, error) { return j.Ranks[peer].Address(), nil },
		}, o)
		require.NoError(t, err)
	}
	j.together(func(ctx context.Context, r T) error { return r.Connect(ctx) })
	j.Pass(0) // an event loop may still be about to send the last message of the handshake
	t.Cleanup(func() {
		j.World.Filter(nil)
		j.together(func(ctx context.Context, r T) error { return r.Close(ctx) })
	})
	return j
}

// together has both ranks do something for which time must pass.
func (j *Job[T]) together(do func(context.Context, T) error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	driven, stop := context.WithCancel(ctx)
	var driver, all sync.WaitGroup
	driver.Go(func() { j.World.Drive(driven) })
	var errs [2]error
	for i, r := range j.Ranks {
		all.Go(func() { errs[i] = do(ctx, r) })
	}
	all.Wait()
	stop()
	driver.Wait()
	require.NoError(j.T, errs[0])
	require.NoError(j.T, errs[1])
}

// Begin starts a request at a rank, not to wait for others, and returns it.
func (j *Job[T]) Begin(rank int, r *rpi.Request) *rpi.Request {
	j.Ranks[rank].Start(r)
	j.release(j.Ranks[rank])
	return r
}

// Message returns a request that names rank 0.
func Message(op rpi.Op, tag matching.Tag, body []byte) *rpi.Request {
	return &rpi.Request{Op: op, Tag: tag, Type: 1, Elem: 1, Buf: body}
}

// Send starts a send from rank 0 to rank 1.
func (j *Job[T]) Send(tag matching.Tag, body []byte) *rpi.Request {
	r := Message(rpi.OpSend, tag, body)
	r.Peer = 1
	return j.Begin(0, r)
}

// Post starts a receive, or a probe, of rank 0's messages at rank 1.
func (j *Job[T]) Post(op rpi.Op, tag matching.Tag, buf []byte) *rpi.Request {
	return j.Begin(1, Message(op, tag, buf))
}

// Run lets time pass until requests have completed.
func (j *Job[T]) Run(rs ...*rpi.Request) {
	j.T.Helper()
	require.True(j.T, j.World.Run(j.World.Now()+time.Hour, func() bool {
		for _, r := range rs {
			if !r.Completed() {
				return false
			}
		}
		return true
	}), "the requests never complete")
	for _, r := range rs {
		require.NoError(j.T, r.Err)
	}
}

// Cut has a network lose all packets from now on.
func (j *Job[T]) Cut(network int) {
	j.World.Duplex(j.at[0][network], j.at[1][network], enginetest.Conditions{Down: true})
}

// Pass lets a time pass, and before that the event loops do what they have to do.
func (j *Job[T]) Pass(d time.Duration) {
	j.World.Run(j.World.Now()+d, func() bool { return false })
}

// LoseNext loses the next packet that rank 0 sends.
func (j *Job[T]) LoseNext() {
	lost := false
	from := j.at[0][0]
	j.World.Filter(func(source, _ netip.AddrPort, _ []byte) bool {
		pass := lost || source.Addr() != from
		lost = lost || source.Addr() == from
		return pass
	})
}
