package meeting

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestPeersMeetAndShareMemory(t *testing.T) {
	keepsNothing(t)
	one, other := pair(t)
	for _, m := range []*Meeting{one, other} {
		require.Equal(t, os.Getpid(), m.Process.PID)
	}
	ours, bell := segment(t), doorbell(t)
	ctx := t.Context()
	got, got2, err, err2 := both(
		func() (Offer, error) {
			return one.Exchange(ctx, Offer{Segments: []*Segment{ours}, Doorbell: bell, Data: []byte("layout 7")})
		},
		func() (Offer, error) { return other.Exchange(ctx, Offer{Data: []byte("none of mine")}) })
	require.NoError(t, errors.Join(err, err2))
	require.Equal(t, Offer{Data: []byte("none of mine")}, got)
	require.Equal(t, "layout 7", string(got2.Data))

	said, said2, err, err2 := both(
		func() ([]byte, error) { return one.Conclude(ctx, []byte("yes")) },
		func() ([]byte, error) { return other.Conclude(ctx, nil) })
	require.NoError(t, errors.Join(err, err2))
	require.Empty(t, said)
	require.Equal(t, "yes", string(said2))
	one.Close()
	other.Close()

	ours.CloseFile()
	require.Len(t, got2.Segments, 1)
	theirs := got2.Segments[0].Bytes()
	require.Equal(t, make([]byte, size), theirs)
	ours.Bytes()[size-1] = 5
	require.EqualValues(t, 5, theirs[size-1])
	theirs[0] = 6
	require.EqualValues(t, 6, ours.Bytes()[0])

	readable := func() bool {
		fds := []unix.PollFd{{Fd: int32(bell.fd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, 0)
		require.NoError(t, err)
		return n == 1
	}
	require.False(t, readable())
	require.NoError(t, got2.Doorbell.Ring())
	require.NoError(t, got2.Doorbell.Ring())
	require.True(t, readable())
	require.NoError(t, bell.clear())
	require.False(t, readable())
	require.NoError(t, bell.clear())

	got2.Close()
	one.Process.Close()
	other.Process.Close()
}

func TestAllThatAnOfferCanHold(t *testing.T) {
	keepsNothing(t)
	one, other := pair(t)
	full := Offer{Doorbell: doorbell(t), Data: make([]byte, MaxData)}
	for i := range MaxSegments {
		full.Segments = append(full.Segments, segment(t))
		full.Segments[i].Bytes()[0] = byte(i + 1)
	}
	exchange := func(m *Meeting) func() (Offer, error) {
		return func() (Offer, error) { return m.Exchange(t.Context(), full) }
	}
	got, got2, err, err2 := both(exchange(one), exchange(other))
	require.NoError(t, errors.Join(err, err2))
	for _, o := range []Offer{got, got2} {
		require.Len(t, o.Segments, MaxSegments)
		for i, s := range o.Segments {
			require.EqualValues(t, i+1, s.Bytes()[0])
		}
	}
	_, err = one.Exchange(t.Context(), Offer{Data: make([]byte, MaxData+1)})
	require.Error(t, err)
	_, err = one.Conclude(t.Context(), make([]byte, MaxData+1))
	require.Error(t, err)
}

// TestRefusal: whatever step the peer is in, it learns why.
func TestRefusal(t *testing.T) {
	reason := errors.New("no memory left")
	for _, step := range []func(ctx context.Context, m *Meeting) error{
		func(ctx context.Context, m *Meeting) error { _, err := m.Exchange(ctx, Offer{}); return err },
		func(ctx context.Context, m *Meeting) error { _, err := m.Conclude(ctx, nil); return err },
	} {
		keepsNothing(t)
		one, other := pair(t)
		one.Refuse(reason)
		err := step(t.Context(), other)
		// The refused side's own record may come too late.
		if !errors.Is(err, ErrNoAnswer) {
			require.ErrorIs(t, err, ErrRefused)
			require.ErrorContains(t, err, reason.Error())
		}
	}
}

func TestAnswersOfAnAcceptor(t *testing.T) {
	keepsNothing(t)
	for answer, expected := range map[Answer]error{Yours: ErrYours, Closed: ErrClosed, 77: ErrGarbage} {
		cfg := config(0)
		cfg.Admit = func(from int) Answer {
			assert.Equal(t, 2, from)
			return answer
		}
		_, err := Dial(t.Context(), config(2), 0, listener(t, cfg).Place())
		require.ErrorIs(t, err, expected)
	}
}

func TestManyMeetAtOnce(t *testing.T) {
	keepsNothing(t)
	const n = 40
	cfg := config(0)
	cfg.Size = n + 1
	l := listener(t, cfg)
	var running sync.WaitGroup
	for rank := 1; rank <= n; rank++ {
		running.Go(func() {
			cfg := cfg
			cfg.Rank = rank
			m, err := Dial(t.Context(), cfg, 0, l.Place())
			if assert.NoError(t, err) {
				_, err = m.Exchange(t.Context(), Offer{Segments: []*Segment{segment(t)}})
				assert.NoError(t, err)
				m.Close()
			}
		})
	}
	ranks := make(map[int]bool)
	for range n {
		m, err := l.Accept(t.Context())
		require.NoError(t, err)
		ranks[m.Rank] = true
		running.Go(func() {
			theirs, err := m.Exchange(t.Context(), Offer{})
			assert.NoError(t, err)
			assert.Len(t, theirs.Segments, 1)
			m.Close()
		})
	}
	running.Wait()
	require.Len(t, ranks, n)
}

func TestAPeerOfAnotherPlaceIsNotDialed(t *testing.T) {
	keepsNothing(t)
	l := listener(t, config(0))
	_, err := Dial(t.Context(), config(1), 0, "1/00000000000000000000000000000000"+l.Place()[34:])
	require.ErrorIs(t, err, ErrElsewhere)
	require.ErrorContains(t, err, "another host")
	require.NoError(t, l.Close())
	_, err = Dial(t.Context(), config(1), 0, l.Place())
	require.ErrorIs(t, err, ErrNoAnswer)
	require.ErrorIs(t, err, unix.ECONNREFUSED)
}

func TestMeetingsEnd(t *testing.T) {
	keepsNothing(t)
	l := listener(t, config(0))
	m := dial(t, l, 1)
	require.NoError(t, l.Close(), "although nothing has accepted the meeting")
	_, err := l.Accept(t.Context())
	require.ErrorIs(t, err, ErrClosed)
	require.NoError(t, l.Close())
	_, err = m.Exchange(t.Context(), Offer{})
	require.ErrorIs(t, err, ErrNoAnswer)

	one, _ := pair(t) // the other is silent
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = one.Exchange(ctx, Offer{})
	require.ErrorIs(t, err, context.Canceled)

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = listener(t, config(0)).Accept(ended)
	require.ErrorIs(t, err, context.Canceled)
}

func TestConfigurationsThatCannotBe(t *testing.T) {
	keepsNothing(t)
	for _, cfg := range []Config{{Size: 1}, {Token: token, Rank: 1, Size: 1}, {Token: token, Rank: -1, Size: 1}} {
		_, err := Listen(cfg)
		require.Error(t, err)
		_, err = Dial(t.Context(), cfg, 0, "")
		require.Error(t, err)
	}
}
