package pmi

import (
	"io"
	"net"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// greeted is a client whose launcher has greeted it and says nothing more. The launcher's end is returned too.
func greeted(t *testing.T) (*Client, net.Conn) {
	t.Helper()
	near, far := net.Pipe()
	go playLauncherUnchecked(far, greeting)
	c, err := NewClient(t.Context(), near, 0, 2)
	require.NoError(t, err)
	return c, far
}

func TestEndOfTheLauncherIsNoticedWithoutACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, launcher := greeted(t)
		gone := make(chan error, 2)
		require.NoError(t, c.Watch(t.Context(), func(reason error) { gone <- reason }, nil))
		require.NoError(t, launcher.Close())
		require.ErrorIs(t, <-gone, io.ErrUnexpectedEOF)
		require.NoError(t, c.Close())
		synctest.Wait()
		require.Empty(t, gone, "it is told once")
	})
}

func TestWatchThatComesTooLateIsToldOfTheEndAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, launcher := greeted(t)
		require.NoError(t, launcher.Close())
		synctest.Wait()
		var gone error
		require.NoError(t, c.Watch(t.Context(), func(reason error) { gone = reason }, nil))
		require.ErrorIs(t, gone, io.ErrUnexpectedEOF)
		require.NoError(t, c.Close())
	})
}

func TestOwnEndIsNoLossOfTheLauncher(t *testing.T) {
	for name, end := range map[string]func(*Client) error{
		"finalize": func(c *Client) error { return c.Finalize(t.Context()) },
		"close":    (*Client).Close,
	} {
		t.Run(name, func(t *testing.T) {
			s := newTestServer(t, Config{Size: 1})
			c := join(t, s, 0)
			require.NoError(t, c.Watch(t.Context(), func(reason error) { assert.NoError(t, reason) }, nil))
			require.NoError(t, end(c))
			<-s.Ended(0)
		})
	}
}

// The late reply of a call that was given up must not keep the end from being noticed.
func TestLateRepliesDoNotHideTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, launcher := greeted(t)
		gone := make(chan error, 1)
		require.NoError(t, c.Watch(t.Context(), func(reason error) { gone <- reason }, nil))
		_, err := launcher.Write([]byte("cmd=barrier_out rc=0\n"))
		require.NoError(t, err)
		require.NoError(t, launcher.Close())
		require.ErrorIs(t, <-gone, io.ErrUnexpectedEOF)
		require.NoError(t, c.Close())
	})
}

func TestLauncherThatSaysMoreThanItWasAskedIsLeft(t *testing.T) {
	c, launcher := greeted(t)
	gone := make(chan error, 1)
	require.NoError(t, c.Watch(t.Context(), func(reason error) { gone <- reason }, nil))
	for range maxReplies + 1 {
		_, err := launcher.Write([]byte("cmd=barrier_out rc=0\n"))
		require.NoError(t, err)
	}
	require.ErrorContains(t, <-gone, "more than it was asked")
	require.NoError(t, c.Close())
}

func TestNoticesReachARankThatWatches(t *testing.T) {
	s := newTestServer(t, Config{Size: 2})
	c := join(t, s, 0)
	require.False(t, s.Notify(0, "too early"))
	notices := make(chan string, 1)
	require.NoError(t, c.Watch(t.Context(), nil, func(what string) { notices <- what }))
	_, err := c.UniverseSize(t.Context())
	require.NoError(t, err, "what was sent before has been dealt with")

	fenced := make(chan error, 1)
	go func() { fenced <- c.Fence(t.Context()) }()
	require.True(t, s.Notify(0, "where are you?"))
	require.Equal(t, "where are you?", <-notices)
	require.NoError(t, join(t, s, 1).Fence(t.Context()))
	require.NoError(t, <-fenced, "the conversation is whole")
}

func TestFailedPeerIsKnownToTheLauncher(t *testing.T) {
	s := newTestServer(t, Config{Size: 3})
	c := join(t, s, 0)
	require.False(t, s.Affected(0))
	require.NoError(t, c.PeerFailed(t.Context(), 2))
	require.NoError(t, c.PeerFailed(t.Context(), AnyPeer))
	require.NoError(t, c.Close())
	<-s.Ended(0)
	require.True(t, s.Affected(0))
	require.Equal(t, []int{AnyPeer, 2}, s.Causes(0))
	require.False(t, s.Affected(1))
	require.Empty(t, s.Causes(1))
}

func TestFailedFenceIsTheFailureOfAPeer(t *testing.T) {
	s := newTestServer(t, Config{Size: 2})
	first, second := join(t, s, 0), join(t, s, 1)
	require.NoError(t, second.Close())
	<-s.Ended(1)
	require.ErrorContains(t, first.Fence(t.Context()), "rank 1 has left the job")
	require.Equal(t, []int{1}, s.Causes(0))
}

func TestPeerThatDoesNotExistCannotHaveFailed(t *testing.T) {
	reasons := make(chan error, 1)
	s := newTestServer(t, Config{Size: 2, OnCut: func(_ int, reason error) { reasons <- reason }})
	require.NoError(t, join(t, s, 0).PeerFailed(t.Context(), 2))
	require.EqualError(t, <-reasons, "there is no rank 2")
}

// Other launchers would end the job at a request that they do not know.
func TestOtherLaunchersAreToldNothingMore(t *testing.T) {
	against(t, []string{"> cmd=finalize", "< cmd=finalize_ack"}, func(c *Client) {
		require.NoError(t, c.Watch(t.Context(), func(error) {}, func(string) {}))
		require.NoError(t, c.PeerFailed(t.Context(), 1))
		require.NoError(t, c.Finalize(t.Context()))
	})
}
