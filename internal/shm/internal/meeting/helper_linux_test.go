package meeting

import (
	"context"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const (
	patience = 2 * time.Minute
	size     = 1 << 16 // of a segment, in bytes
)

var token = []byte("the token of this job")

func config(rank int) Config { return Config{Token: token, Rank: rank, Size: 4, MaxBytes: 4 * size} }

// keepsNothing checks at the end of the test that it has left no descriptor and no mapping.
func keepsNothing(t *testing.T) {
	t.Helper()
	// Go's poller has descriptors of its own from the first socket on.
	l, err := net.ListenUnix(network, &net.UnixAddr{Name: "@", Net: network})
	require.NoError(t, err)
	l.Close()
	before := held(t)
	t.Cleanup(func() {
		for begun := time.Now(); ; { // a connection is closed when the last call on it has returned
			after := held(t)
			if after == before {
				return
			}
			require.Less(t, time.Since(begun), patience, "%+v before, now %+v", before, after)
		}
	})
}

type holdings struct{ descriptors, mappings int }

func held(t *testing.T) holdings {
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	maps, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	return holdings{len(entries), strings.Count(string(maps), "memfd:sctpmpi")}
}

func listener(t *testing.T, cfg Config) *Listener {
	t.Helper()
	l, err := Listen(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

// pair is a meeting of ranks 1, which dials, and 0.
func pair(t *testing.T) (dialing, accepting *Meeting) {
	t.Helper()
	l := listener(t, config(0))
	dialing = dial(t, l, 1)
	accepting, err := l.Accept(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, accepting.Rank)
	t.Cleanup(accepting.Close)
	return dialing, accepting
}

func dial(t *testing.T, l *Listener, rank int) *Meeting {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	m, err := Dial(ctx, config(rank), l.cfg.Rank, l.Place())
	require.NoError(t, err)
	require.Equal(t, l.cfg.Rank, m.Rank)
	t.Cleanup(m.Close)
	return m
}

func segment(t *testing.T) *Segment {
	t.Helper()
	s, err := NewSegment(size)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

func doorbell(t *testing.T) *Doorbell {
	t.Helper()
	d, err := newDoorbell()
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return d
}

func newDoorbell() (*Doorbell, error) {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	return &Doorbell{fd: fd}, err
}

// clear makes the eventfd of a doorbell not readable. One call is enough for all rings before it.
func (d *Doorbell) clear() error {
	var count [8]byte
	if _, err := unix.Read(d.fd, count[:]); err != unix.EAGAIN {
		return err
	}
	return nil
}

// both runs a step of both sides at once.
func both[T any](one, other func() (T, error)) (T, T, error, error) {
	type result struct {
		value T
		err   error
	}
	c := make(chan result)
	go func() {
		v, err := one()
		c <- result{v, err}
	}()
	v, err := other()
	r := <-c
	return r.value, v, r.err, err
}
