package pmi

import (
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exchange is what every rank of a job does at start-up: publish an address, fence, read the others'.
func exchange(t *testing.T, c *Client) {
	ctx := t.Context()
	if !assert.NoError(t, c.Put(ctx, "addr-"+strconv.Itoa(c.Rank()), fmt.Sprintf("host:%d", c.Rank()))) {
		return
	}
	if !assert.NoError(t, c.Fence(ctx)) {
		return
	}
	for peer := range c.Size() {
		value, err := c.Get(ctx, "addr-"+strconv.Itoa(peer))
		assert.NoError(t, err)
		assert.Equal(t, fmt.Sprintf("host:%d", peer), value)
	}
	assert.NoError(t, c.Fence(ctx))
	assert.NoError(t, c.Finalize(ctx))
}

func newTestServer(t *testing.T, config Config) *Server {
	t.Helper()
	if config.OnCut == nil {
		config.OnCut = func(rank int, reason error) { assert.Fail(t, "cut", "rank %d: %v", rank, reason) }
	}
	s, err := NewServer(config)
	require.NoError(t, err)
	return s
}

func TestRanksExchangeAddressesOverInheritedConnections(t *testing.T) {
	const size = 16
	s := newTestServer(t, Config{Size: size})
	var ranks sync.WaitGroup
	for rank := range size {
		c := join(t, s, rank)
		ranks.Go(func() { exchange(t, c) })
	}
	ranks.Wait()
	for rank := range size {
		<-s.Ended(rank)
		assert.Equal(t, Finalised, s.Phase(rank))
	}
}

func TestRanksExchangeAddressesOverAPort(t *testing.T) {
	const size = 16
	s := newTestServer(t, Config{Size: size})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	var ranks sync.WaitGroup
	for rank := range size {
		ranks.Go(func() {
			environment := map[string]string{"PMI_PORT": l.Addr().String(), "PMI_ID": strconv.Itoa(s.PortID(rank))}
			c, err := open(t.Context(), lookupIn(environment))
			if assert.NoError(t, err) {
				assert.Equal(t, rank, c.Rank())
				assert.Equal(t, size, c.Size())
				exchange(t, c)
			}
		})
	}
	ranks.Wait()
	require.NoError(t, l.Close())
	require.ErrorIs(t, <-served, net.ErrClosed)
	for rank := range size {
		assert.Equal(t, Finalised, s.Phase(rank))
	}
}

func TestPhaseFollowsTheRank(t *testing.T) {
	s := newTestServer(t, Config{Size: 2})
	quiet := dial(t, s, 1)

	c := join(t, s, 0)
	assert.Equal(t, Initialised, s.Phase(0))
	require.NoError(t, c.Close())
	<-s.Ended(0)
	assert.Equal(t, Initialised, s.Phase(0), "it owes a finalize")

	require.NoError(t, quiet.Close())
	assert.Equal(t, NotStarted, s.Phase(1))
}

func TestAppNumAndUniverseSize(t *testing.T) {
	s := newTestServer(t, Config{Size: 2, AppNum: []int{0, 1}})
	c := join(t, s, 1)
	n, err := c.AppNum(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	n, err = c.UniverseSize(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 2, n)
}

func TestServerConfigurationIsChecked(t *testing.T) {
	for _, test := range []struct {
		config Config
		why    string
	}{
		{Config{}, "cannot have 0 ranks"},
		{Config{Size: -1}, "cannot have -1 ranks"},
		{Config{Size: 2, AppNum: []int{0}}, "1 application numbers for 2 ranks"},
		{Config{Size: 1, KVSName: "a b"}, "cannot carry"},
	} {
		_, err := NewServer(test.config)
		require.ErrorContains(t, err, test.why)
	}
}

// A rank that has gone will never come to a fence: the others must hear of it instead of waiting for ever.
func TestFenceFailsWhenARankHasLeft(t *testing.T) {
	for _, order := range []string{"waiting", "coming later"} {
		t.Run(order, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newTestServer(t, Config{Size: 3})
				c, absent := join(t, s, 0), dial(t, s, 2)
				if order == "coming later" {
					require.NoError(t, absent.Close())
					<-s.Ended(2)
				}
				fenced := make(chan error, 1)
				go func() { fenced <- c.Fence(t.Context()) }()
				synctest.Wait()
				require.NoError(t, absent.Close())
				require.EqualError(t, <-fenced, "pmi: fence: launcher refused with rc=-1: rank 2 has left the job")
				require.NoError(t, c.Finalize(t.Context()))
			})
		})
	}
}

func TestMisbehavingClientIsCut(t *testing.T) {
	const init = "cmd=init pmi_version=1 pmi_subversion=1\n"
	for _, test := range []struct{ name, sent, reason string }{
		{"not PMI", "GET / HTTP/1.1\n", "does not begin with cmd="},
		{"command before init", "cmd=get_maxes\n", "command get_maxes in phase not started"},
		{"second init", init + init, "a second init"},
		{"unknown command", init + "cmd=dance\n", `unknown command: "cmd=dance"`},
		{"initack without a port", "cmd=initack pmiid=0\n", "unknown command"},
		{"init without version", "cmd=init\n", "init lacks pmi_version"},
		{"endless line", "cmd=put key=" + strings.Repeat("k", maxLine), "line of more than 8192 bytes"},
		{"put without value", init + "cmd=put key=a\n", "put lacks key or value"},
		{"get without key", init + "cmd=get kvsname=a\n", "get lacks key"},
		{"abort without code", init + "cmd=abort\n", "abort lacks exitcode"},
		{"request at a fence", init + "cmd=barrier_in\ncmd=get_maxes\n", "command get_maxes while waiting at a fence"},
		{"request after finalize", init + "cmd=finalize\ncmd=barrier_in\n", "command barrier_in in phase finalised"},
		{"spawn before init", "mcmd=spawn\n", "out of place"},
		{"control character", init + "cmd=get key=\x01\n", "control character"},
	} {
		t.Run(test.name, func(t *testing.T) {
			type cut struct {
				rank   int
				reason error
			}
			cuts := make(chan cut, 1)
			s := newTestServer(t, Config{Size: 2, OnCut: func(rank int, reason error) { cuts <- cut{rank, reason} }})
			conn := dial(t, s, 1)
			var replies sync.WaitGroup
			replies.Go(func() { _, _ = io.Copy(io.Discard, conn) })
			_, _ = conn.Write([]byte(test.sent)) // the server may have closed before the end of it
			got := <-cuts
			assert.Equal(t, 1, got.rank)
			assert.ErrorContains(t, got.reason, test.reason)
			<-s.Ended(1)
			replies.Wait()
		})
	}
}

func TestClientThatGoesIsNotCut(t *testing.T) {
	for _, sent := range []string{"", "cmd=init pmi_ver", "cmd=init pmi_version=1 pmi_subversion=1\n"} {
		s := newTestServer(t, Config{Size: 1})
		conn := dial(t, s, 0)
		_, err := conn.Write([]byte(sent))
		require.NoError(t, err)
		require.NoError(t, conn.Close())
	}
}

// C clients print stacks of errors into their abort, newlines and all.
func TestWhatFollowsAnAbortIsIgnored(t *testing.T) {
	texts := make(chan string, 1)
	s := newTestServer(t, Config{Size: 1, OnAbort: func(_, _ int, text string) { texts <- text }})
	conn := dial(t, s, 0)
	_, _ = conn.Write([]byte("cmd=abort exitcode=1 message=Fatal error in PMPI_Send: rank=7\nPMPI_Send(163): failed\n"))
	assert.Equal(t, "Fatal error in PMPI_Send: rank=7", <-texts)
	require.NoError(t, conn.Close())
	<-s.Ended(0)
}

// What a rank says is printed: nothing that a terminal obeys is left in it.
func TestAbortSaysNothingToATerminal(t *testing.T) {
	texts := make(chan string, 1)
	s := newTestServer(t, Config{Size: 1, OnAbort: func(_, _ int, text string) { texts <- text }})
	conn := dial(t, s, 0)
	_, _ = conn.Write([]byte("cmd=abort exitcode=1 message=a\u009b2J \x9b2J ü\n"))
	assert.Equal(t, "a 2J \ufffd2J ü", <-texts)
	require.NoError(t, conn.Close())
	<-s.Ended(0)
}

func TestARankHasOneConnection(t *testing.T) {
	reasons := make(chan error, 1)
	s := newTestServer(t, Config{Size: 1, OnCut: func(_ int, reason error) { reasons <- reason }})
	first := join(t, s, 0)
	dial(t, s, 0)
	require.ErrorContains(t, <-reasons, "rank 0 is connected already")
	require.NoError(t, first.Finalize(t.Context()), "the first one is not harmed")
}

func TestKeysOfARankAreBounded(t *testing.T) {
	s := newTestServer(t, Config{Size: 2})
	c, other := join(t, s, 0), join(t, s, 1)
	for i := range maxKeys {
		require.NoError(t, c.Put(t.Context(), "k"+strconv.Itoa(i), "v"))
	}
	require.ErrorContains(t, c.Put(t.Context(), "one-more", "v"), "rank 0 has put 256 keys already")
	require.NoError(t, c.Put(t.Context(), "k0", "w"), "replacing adds nothing")
	require.NoError(t, other.Put(t.Context(), "one-more", "v"), "another rank is not harmed")
	value, err := c.Get(t.Context(), "k0")
	require.NoError(t, err)
	assert.Equal(t, "w", value)
}

func TestCloseEndsEverything(t *testing.T) {
	s := newTestServer(t, Config{Size: 2})
	c := join(t, s, 0)
	s.Close()
	require.Error(t, c.Fence(t.Context()))
	<-s.Ended(0)
	_, err := NewClient(t.Context(), dial(t, s, 1), 1, 2)
	require.Error(t, err, "a closed server accepts no connection")
}
