package pmi

import (
	"net"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pipes is a listener whose connections are made by dialling it in memory, so that it works with a synthetic clock.
type pipes chan net.Conn

func (p pipes) dial() net.Conn {
	near, far := net.Pipe()
	p <- far
	return near
}

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

func TestConnectionsThatAreNoRanksAreClosed(t *testing.T) {
	for _, test := range []struct{ sent, reason string }{
		{"cmd=initack pmiid=-1\n", "no rank has this pmiid"},
		{"cmd=initack pmiid=x\n", "pmiid is not a number"},
		{"cmd=initack\n", "initack lacks pmiid"},
		{"cmd=init pmi_version=1 pmi_subversion=1\n", "first command is not initack"},
		{"SSH-2.0\n", "does not begin with cmd="},
		{"", "it did not say in time which rank it is"},
	} {
		synctest.Test(t, func(t *testing.T) {
			reasons := make(chan error, 1)
			s := newTestServer(t, Config{Size: 2, OnCut: func(rank int, reason error) {
				assert.Equal(t, -1, rank)
				reasons <- reason
			}})
			l := make(pipes)
			served := make(chan error, 1)
			go func() { served <- s.Serve(l) }()
			conn := l.dial()
			defer conn.Close()
			_, err := conn.Write([]byte(test.sent))
			require.NoError(t, err)
			require.ErrorContains(t, <-reasons, test.reason)
			require.NoError(t, l.Close())
			require.ErrorIs(t, <-served, net.ErrClosed)
		})
	}
}

func TestAnIDIsGoodForOneConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reasons := make(chan error, 1)
		s := newTestServer(t, Config{Size: 1, OnCut: func(_ int, reason error) { reasons <- reason }})
		l := make(pipes)
		served := make(chan error, 1)
		go func() { served <- s.Serve(l) }()
		first := newClient(l.dial())
		_, err := first.beginPort(t.Context(), s.PortID(0))
		require.NoError(t, err)
		second := newClient(l.dial())
		_, err = second.beginPort(t.Context(), s.PortID(0))
		require.ErrorContains(t, err, "launcher closed the connection")
		require.ErrorContains(t, <-reasons, "rank 0 is connected already")
		require.NoError(t, first.Finalize(t.Context()))
		require.NoError(t, l.Close())
		<-served
	})
}

// Silent connections lose their places to ranks, which do not wait for them: by the synthetic clock no time passes.
func TestRanksConnectBesideManyUnidentifiedConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newTestServer(t, Config{Size: 1, OnCut: func(int, error) {}})
		l := make(pipes)
		served := make(chan error, 1)
		go func() { served <- s.Serve(l) }()
		for range 5 * maxUnidentified {
			go func() {
				conn := l.dial()
				_, _ = conn.Read(make([]byte, 1)) // until the server hangs up
			}()
		}
		synctest.Wait()
		begin := time.Now()
		c, err := newClient(l.dial()).beginPort(t.Context(), s.PortID(0))
		require.NoError(t, err)
		require.Zero(t, time.Since(begin))
		require.NoError(t, c.Finalize(t.Context()))
		synctest.Wait()
		require.NoError(t, l.Close())
		<-served
	})
}

func TestIDsAreRandomAndFitAnInt32(t *testing.T) {
	s := newTestServer(t, Config{Size: 1000})
	seen := make(map[int]bool)
	for rank := range 1000 {
		id := s.PortID(rank)
		assert.False(t, seen[id])
		seen[id] = true
		_, err := strconv.ParseInt(strconv.Itoa(id), 10, 32)
		require.NoError(t, err)
	}
	assert.NotEqual(t, s.PortID(0), newTestServer(t, Config{Size: 1}).PortID(0))
}
