package core

import (
	"cmp"
	"context"
	"testing"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/pmi"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/stretchr/testify/require"
)

// What rank 0 says of its host decides for all ranks, since they must choose the same algorithms.
func TestAllRanksTakeOversubscriptionFromRankZero(t *testing.T) {
	s := new(startup.Settings)
	for _, oversubscribed := range []bool{false, true} {
		first := &process{transport: spoken{}, oversubscribed: oversubscribed}
		other := &process{rank: 1, transport: spoken{}, oversubscribed: !oversubscribed}
		other.launcher = &localLauncher{job: &localJob{cards: []string{first.card(s), ""}}, rank: 1}
		require.NoError(t, other.join(t.Context(), s))
		require.Equal(t, oversubscribed, other.oversubscribed)
	}
}

// spoken is a transport as far as its card goes.
type spoken struct {
	rpi.Transport
	name, protocol string
}

func (t spoken) Name() string     { return t.name }
func (t spoken) Protocol() string { return t.protocol }
func (t spoken) Address() string  { return "1.2.3.4:5,1.2.3.5:5" }

// What ranks must have in common is compared before they connect.
func TestCardsOfDifferentSettingsAreRefused(t *testing.T) {
	ours, other := &startup.Settings{UnexpectedLimit: 5}, &startup.Settings{UnexpectedLimit: 6}
	process := func(name, protocol string) *process {
		return &process{transport: spoken{name: name, protocol: protocol}}
	}
	job := &localJob{cards: []string{
		process("sctp-kernel", "sctp/udp").card(ours),
		process("sctp-engine", "sctp/udp").card(ours),
		process("sctp-kernel", "sctp/ip").card(ours),
		process("tcp", "tcp").card(ours),
		process("sctp-engine", "sctp/udp").card(other),
		"nonsense",
	}}
	p := process("sctp-engine", "sctp/udp")
	p.rank, p.launcher = 9, &localLauncher{job: job}
	p.published.Store(true)
	for peer, want := range []string{
		"",
		"",
		"rank 2 has transport sctp-kernel (sctp/ip) and rank 9 sctp-engine (sctp/udp), which do not understand each other: " +
			"set SCTPMPI_TRANSPORT alike for all ranks, or SCTPMPI_ENCAPSULATE=1 for those whose transport is sctp-kernel, and SCTPMPI_ENCRYPT=off for all",
		"rank 3 has transport tcp (tcp) and rank 9 sctp-engine (sctp/udp), which do not understand each other: " +
			"set SCTPMPI_TRANSPORT alike for all ranks",
		"rank 4 has little-endian/unexpected-limit=6/encrypt=auto and rank 9 little-endian/unexpected-limit=5/encrypt=auto: " +
			"all ranks must have the same byte order, SCTPMPI_UNEXPECTED_LIMIT, SCTPMPI_ENCRYPT and SCTPMPI_REPRODUCIBLE",
		`rank 5 published "nonsense", which is not what this version of the library does`,
	} {
		address, err := p.lookup(t.Context(), ours, peer)
		if want != "" {
			require.EqualError(t, err, want)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "1.2.3.4:5,1.2.3.5:5", address)
	}
	_, err := p.lookup(t.Context(), ours, 6)
	require.ErrorIs(t, err, pmi.ErrKeyNotFound)
}

// hasty is a launcher whose caller gives up before the answer comes.
type hasty struct {
	startup.Launcher
	interrupt func()
}

func (l hasty) Get(ctx context.Context, from int, key string) (string, error) {
	l.interrupt()
	card, err := l.Launcher.Get(ctx, from, key)
	return card, cmp.Or(err, ctx.Err())
}

// A question to the launcher is not given up, as no other could follow.
func TestLookupThatHasBegunIsFinished(t *testing.T) {
	s := &startup.Settings{ConnectTimeout: time.Hour}
	p := &process{transport: spoken{name: "a", protocol: "a"}}
	ctx, cancel := context.WithCancel(t.Context())
	p.launcher = hasty{&localLauncher{job: &localJob{cards: []string{p.card(s)}}}, cancel}
	p.published.Store(true)
	_, err := p.lookup(ctx, s, 0)
	require.NoError(t, err)
	_, err = p.lookup(ctx, s, 0)
	require.ErrorIs(t, err, context.Canceled)
}

// A launcher may wait for a card that has not been published, and take no other call meanwhile.
func TestTheLauncherIsNotAskedBeforeAllCardsArePublished(t *testing.T) {
	s := &startup.Settings{ConnectTimeout: time.Hour}
	p := &process{transport: spoken{name: "a", protocol: "a"}}
	asked := 0
	p.launcher = hasty{&localLauncher{job: &localJob{cards: []string{p.card(s)}, processes: make([]*process, 1)}}, func() { asked++ }}
	_, err := p.lookup(t.Context(), s, 0)
	require.Error(t, err)
	require.Zero(t, asked)
	require.NoError(t, p.join(t.Context(), s))
	_, err = p.lookup(t.Context(), s, 0)
	require.NoError(t, err)
	require.Equal(t, 1, asked)
}
