package pmi

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var greeting = []string{
	"> cmd=init pmi_version=1 pmi_subversion=1",
	"< cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1",
	"> cmd=get_maxes",
	"< cmd=maxes rc=0 kvsname_max=256 keylen_max=8 vallen_max=16",
	"> cmd=get_my_kvsname",
	"< cmd=my_kvsname rc=0 kvsname=k",
}

// against runs use with a client whose launcher follows a script after the greeting.
func against(t *testing.T, script []string, use func(*Client)) {
	t.Helper()
	near, far := net.Pipe()
	played := make(chan struct{})
	go func() {
		defer close(played)
		playLauncher(t, far, append(append([]string{}, greeting...), script...))
	}()
	c, err := NewClient(t.Context(), near, 0, 2)
	require.NoError(t, err)
	use(c)
	_ = c.Close()
	<-played
}

func TestPutRejectsWhatTheWireCannotCarry(t *testing.T) {
	against(t, nil, func(c *Client) {
		for _, test := range []struct{ key, value, why string }{
			{"", "v", "key is empty"},
			{"a b", "v", "cannot carry"},
			{"a=b", "v", "has an '='"},
			{"a\n", "v", "cannot carry"},
			{"é", "v", "cannot carry"},
			{"12345678", "v", "key has 8 bytes, the launcher takes at most 7"},
			{"k", "", "value is empty"},
			{"k", "a b", "cannot carry"},
			{"k", `a\b`, "cannot carry"},
			{"k", "a\ncmd=abort", "cannot carry"},
			{"k", "1234567890123456", "value has 16 bytes, the launcher takes at most 15"},
		} {
			require.ErrorContains(t, c.Put(t.Context(), test.key, test.value), test.why)
		}
		_, err := c.Get(t.Context(), "a b")
		require.ErrorContains(t, err, "cannot carry")
	})
}

func TestRequestsFitTheBufferOfSlurm(t *testing.T) {
	near, far := net.Pipe()
	played := make(chan struct{})
	go func() {
		defer close(played)
		script := append([]string{}, greeting...)
		script[3] = "< cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=9999"
		playLauncher(t, far, script)
	}()
	c, err := NewClient(t.Context(), near, 0, 2)
	require.NoError(t, err)
	require.ErrorContains(t, c.Put(t.Context(), "k", strings.Repeat("v", 1000)), "longer than 1024")
	<-played
}

func TestRefusedPutCarriesTheLaunchersReason(t *testing.T) {
	script := []string{
		"> cmd=put kvsname=k key=a value=b",
		`< cmd=put_result rc=-1 msg=no\ more\ room`,
		"> cmd=barrier_in",
		"< cmd=barrier_out rc=1 errmsg=failed_to_send",
	}
	against(t, script, func(c *Client) {
		require.EqualError(t, c.Put(t.Context(), "a", "b"), "pmi: put a: launcher refused with rc=-1: no more room")
		require.EqualError(t, c.Fence(t.Context()), "pmi: fence: launcher refused with rc=1: failed_to_send")
	})
}

func TestSenselessReplyEndsTheConversation(t *testing.T) {
	for reply, why := range map[string]string{
		"cmd=put_result rc=0":                         "launcher answered \"cmd=put_result rc=0\" where get_result was due",
		"get_result rc=0 value=v":                     "does not begin with cmd=",
		"cmd=get_result rc=0 value=a value=b":         "occurs twice",
		"cmd=get_result rc=0 value":                   "not key=value",
		"cmd=get_result " + strings.Repeat("x", 9000): "more than 8192 bytes",
	} {
		near, far := net.Pipe()
		go func() {
			defer far.Close()
			playLauncherUnchecked(far, append(append([]string{}, greeting...), "> cmd=get kvsname=k key=a", "< "+reply))
		}()
		c, err := NewClient(t.Context(), near, 0, 2)
		require.NoError(t, err)
		_, err = c.Get(t.Context(), "a")
		require.ErrorContains(t, err, why)
		require.ErrorContains(t, c.Fence(t.Context()), why, "the next call")
		require.NoError(t, c.Close())
	}
}

// playLauncherUnchecked is playLauncher for a client that may turn away.
func playLauncherUnchecked(conn net.Conn, lines []string) {
	buffer := make([]byte, maxRequest)
	for _, line := range lines {
		if said, ok := strings.CutPrefix(line, "< "); ok {
			if _, err := conn.Write([]byte(said + "\n")); err != nil {
				return
			}
		} else if _, err := conn.Read(buffer); err != nil {
			return
		}
	}
}

func TestGreetingIsChecked(t *testing.T) {
	for _, test := range []struct {
		line  int
		reply string
		why   string
	}{
		{1, "< cmd=response_to_init rc=0 pmi_version=2 pmi_subversion=0", "speaks PMI version 2, not 1"},
		{1, "< cmd=response_to_init rc=0", "lacks pmi_version"},
		{1, "< cmd=response_to_init rc=-1 msg=no", "launcher refused with rc=-1: no"},
		{3, "< cmd=maxes rc=0 kvsname_max=1 keylen_max=x vallen_max=2", "keylen_max is not a number"},
		{3, "< cmd=maxes rc=0 kvsname_max=1 keylen_max=2", "lacks vallen_max"},
		{5, "< cmd=my_kvsname rc=0", "name of the key-value space is empty"},
		{5, `< cmd=my_kvsname rc=0 kvsname=a\ b`, "cannot carry"},
	} {
		script := append([]string{}, greeting...)
		script[test.line] = test.reply
		near, far := net.Pipe()
		go func() {
			defer far.Close()
			playLauncherUnchecked(far, script)
		}()
		_, err := NewClient(t.Context(), near, 0, 2)
		require.ErrorContains(t, err, test.why)
		_, err = near.Write([]byte("x"))
		require.Error(t, err, "the connection is closed")
	}
}

func TestRankMustBeInTheJob(t *testing.T) {
	for _, test := range []struct{ rank, size int }{{-1, 1}, {1, 1}, {0, 0}, {0, -1}} {
		near, _ := net.Pipe()
		_, err := NewClient(t.Context(), near, test.rank, test.size)
		require.ErrorContains(t, err, "is not in a job of size")
	}
}

func TestLostLauncherIsSaidSo(t *testing.T) {
	against(t, []string{"> cmd=barrier_in"}, func(c *Client) {
		require.ErrorContains(t, c.Fence(t.Context()), "launcher closed the connection")
	})
}

func TestContextEndsAFence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, err := NewServer(Config{Size: 2})
		require.NoError(t, err)
		c := join(t, server, 0)

		why := errors.New("user gave up")
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			synctest.Wait() // until the rank waits at the fence
			cancel(why)
		}()
		require.ErrorIs(t, c.Fence(ctx), why)
		require.ErrorIs(t, c.Put(t.Context(), "a", "b"), why, "the conversation is undefined now")
		require.NoError(t, c.Abort(t.Context(), 1, "an abort needs no reply"))
	})
}

func TestCallersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, err := NewServer(Config{Size: 2})
		require.NoError(t, err)
		c, other := join(t, server, 0), join(t, server, 1)
		fenced := make(chan error, 1)
		go func() { fenced <- c.Fence(t.Context()) }()
		synctest.Wait()

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = c.Get(ctx, "a")
		require.ErrorIs(t, err, context.DeadlineExceeded, "a Get waits for the Fence of another goroutine")

		got := make(chan error, 1)
		go func() {
			_, err := c.Get(t.Context(), "PMI_process_mapping")
			got <- err
		}()
		synctest.Wait()
		require.NoError(t, other.Fence(t.Context()))
		require.NoError(t, <-fenced)
		require.NoError(t, <-got)
	})
}

func TestAbortDoesNotWaitForAFence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type abort struct {
			rank, code int
			text       string
		}
		aborts := make(chan abort, 1)
		server, err := NewServer(Config{Size: 2, OnAbort: func(rank, code int, text string) { aborts <- abort{rank, code, text} }})
		require.NoError(t, err)
		c := join(t, server, 1)
		fenced := make(chan error, 1)
		go func() { fenced <- c.Fence(t.Context()) }()
		synctest.Wait()
		require.NoError(t, c.Abort(t.Context(), 5, "too hot: a=b"))
		require.Equal(t, abort{1, 5, "too hot: a=b"}, <-aborts)
		require.Equal(t, Aborted, server.Phase(1))
		synctest.Wait()
		require.Empty(t, fenced, "the server leaves the rank where it is, for the launcher to kill")
		require.NoError(t, c.Close())
		require.ErrorIs(t, <-fenced, ErrClosed)
	})
}

func TestEndedContextSendsNothing(t *testing.T) {
	against(t, []string{"> cmd=finalize", "< cmd=finalize_ack"}, func(c *Client) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, c.Fence(ctx), context.Canceled)
		require.NoError(t, c.Finalize(t.Context()), "the conversation is whole")
	})
}

func TestCallsAfterFinalizeAreRefused(t *testing.T) {
	against(t, []string{"> cmd=finalize", "< cmd=finalize_ack"}, func(c *Client) {
		require.NoError(t, c.Finalize(t.Context()))
		require.ErrorIs(t, c.Fence(t.Context()), ErrClosed)
		require.ErrorIs(t, c.Finalize(t.Context()), ErrClosed)
		require.ErrorIs(t, c.Abort(t.Context(), 1, ""), ErrClosed)
	})
}

func TestAbortTextIsOneLineOfBoundedLength(t *testing.T) {
	for _, test := range []struct{ text, heard string }{
		{"a\nb\tc\x00d", "a b c d"},
		{"cmd=put key=a\ncmd=put", "cmd=put key=a cmd=put"},
		{strings.Repeat(`\`, 2000), strings.Repeat(`\`, 497)},
		{"x" + strings.Repeat(" ", 2000), "x" + strings.Repeat(" ", 496)},
	} {
		texts := make(chan string, 1)
		server, err := NewServer(Config{Size: 1, OnAbort: func(_, _ int, text string) { texts <- text }})
		require.NoError(t, err)
		require.NoError(t, join(t, server, 0).Abort(t.Context(), 1, test.text))
		assert.Equal(t, test.heard, <-texts)
	}
}
