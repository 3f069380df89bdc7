package core

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// looksAtOnce is how often a short collective operation looks before it waits: some 2 µs.
const looksAtOnce = 1000

// open makes the process that launcher l knows, with its transport.
func open(s *startup.Settings, l startup.Launcher) (*process, error) {
	if l.Size() > maxJobSize {
		return nil, fmt.Errorf("a job of %d processes; the limit is %d", l.Size(), maxJobSize)
	}
	_, open, err := s.Find(s.Transport)
	if err != nil {
		return nil, err
	}
	p := &process{rank: l.Rank(), size: l.Size(), everyone: group.First(l.Size()), oversubscribed: s.Oversubscribed, launcher: l, finalizeTimeout: s.FinalizeTimeout,
		hosts: s.Hosts, regroups: s.Regroup, statistics: s.Statistics, begun: time.Now()}
	p.collectives.Continuations, p.collectives.Known = rpi.NewContinuations(), known
	p.failures.Rank, p.failures.Size, p.failures.Notices = p.rank, p.size, noticeContext
	p.failures.Continuations, p.failures.Left = p.collectives.Continuations, p.left.Load
	p.transport, err = open(rpi.Config{
		Rank: p.rank, Size: p.size,
		Lookup: func(ctx context.Context, peer int) (string, error) { return p.lookup(ctx, s, peer) },
		Token:  s.Token, Encrypt: s.Encrypt, EagerLimit: s.EagerLimit, UnexpectedLimit: s.UnexpectedLimit,
		ConnectTimeout: s.ConnectTimeout, PeerTimeout: s.PeerTimeout, Bind: s.Bind, Publish: s.Publish, PortLow: s.PortLow, PortHigh: s.PortHigh,
		Progress: s.Progress, Spin: s.Spin, Threads: s.Threads, Oversubscribed: s.Oversubscribed,
		Statistics: s.Statistics, SharedMemory: s.SharesMemory(p.rank), OneProcess: s.OneProcess, LocalSize: s.LocalSize, Launcher: startup.LauncherProcess(),
		Continuations: p.collectives.Continuations, Gone: p.failures.Gone, Debug: s.Explain(p.rank), Notice: s.Notice(p.rank),
	})
	if err != nil {
		if errors.Is(err, rpi.ErrArg) {
			return nil, err // a variable, which it names
		}
		return nil, fmt.Errorf("transport %s: %w", s.Transport, err)
	}
	p.sharer, _ = p.transport.(rpi.MemorySharer)
	p.nearby = p.sharesWithAll()
	if !s.Oversubscribed && s.Spin >= 0 {
		p.collectives.Looks = looksAtOnce
	}
	if s.Check.Buffers {
		p.transport, p.watches = &watched{p.transport}, true
	}
	if s.Trace != "" {
		if err := p.traceTo(s.Trace, s.Notice(p.rank)); err != nil {
			p.transport.Kill()
			return nil, err
		}
	}
	if s.Profile != "" {
		p.profiles()
	}
	p.short, _ = p.transport.(rpi.ShortWay)
	p.collectives.Transport, p.failures.Transport = p.transport, p.transport
	return p, nil
}

// join publishes how this process can be reached, and waits until all processes have. It
// fails if this process could not talk with rank 0. So of two processes that could not talk
// with each other one fails at least.
func (p *process) join(ctx context.Context, s *startup.Settings) error {
	if err := p.launcher.Watch(ctx, p.failures.Orphaned, p.asked); err != nil {
		return err
	}
	if err := p.launcher.Put(ctx, addressKey(p.rank), p.card(s)); err != nil {
		return err
	}
	leave := p.waitsFor("Init", "for all ranks to call it")
	defer leave()
	if err := p.launcher.Fence(ctx); err != nil {
		return err
	}
	p.published.Store(true)
	if p.rank != 0 {
		first, err := p.read(ctx, s, 0)
		if err != nil {
			return err
		}
		p.oversubscribed, p.nearby = first.oversubscribed, first.nearby
	}
	p.collectives.FewMessages = p.oversubscribed
	if !s.ConnectEagerly {
		return nil
	}
	p.waitsFor("Init", "for connections with all ranks")
	err := p.transport.Connect(ctx)
	if gone, ok := errors.AsType[*rpi.PeerError](err); ok {
		p.peerFailed(gone.Peer)
	}
	return err
}

func addressKey(rank int) string { return "sctpmpi-address-" + strconv.Itoa(rank) }

// card returns what a process publishes: its transport and address, after what it must have
// in common with its peers, so that a difference is found before it does harm.
func (p *process) card(s *startup.Settings) string {
	return strings.Join([]string{
		p.protocol(), s.Common(), p.transport.Name(), "crowded=" + strconv.FormatBool(p.oversubscribed), "near=" + strconv.FormatBool(p.nearby), p.transport.Address(),
	}, cardSeparator)
}

const cardSeparator = ","

// card is what this process needs of what a peer has published.
type card struct {
	oversubscribed, nearby bool
	address                string
}

// protocol is what the transports of all peers must speak. It is the transport's name,
// unless the transport names a protocol that it shares with others.
func (p *process) protocol() string {
	if t, ok := bare(p.transport).(interface{ Protocol() string }); ok {
		return t.Protocol()
	}
	return p.transport.Name()
}

// lookup reads the address of a peer from its card. In a flood the transport asks before any process can have this one's
// address: then the launcher is not asked, as it might wait for the card, and keep this process from publishing its own.
func (p *process) lookup(ctx context.Context, s *startup.Settings, peer int) (string, error) {
	if !p.published.Load() {
		return "", fmt.Errorf("rank %d has not joined the job yet", p.rank)
	}
	c, err := p.read(ctx, s, peer)
	return c.address, err
}

// read reads the card of a peer. Once begun it does not end with ctx, because a question to the
// launcher can be given up only together with the connection to it. A transport that does not need
// the answer any more, as the peer has connected or the transport is closed, must not cost that.
func (p *process) read(ctx context.Context, s *startup.Settings, peer int) (card, error) {
	if ctx.Err() != nil {
		return card{}, context.Cause(ctx)
	}
	asking, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), s.ConnectTimeout, rpi.Overdue(s.ConnectTimeout))
	defer cancel()
	text, err := p.launcher.Get(asking, peer, addressKey(peer))
	if err != nil {
		return card{}, err
	}
	fields := strings.SplitN(text, cardSeparator, 6)
	if len(fields) < 6 {
		return card{}, fmt.Errorf("rank %d published %q, which is not what this version of the library does", peer, text)
	}
	protocol, common, transport := fields[0], fields[1], fields[2]
	if protocol != p.protocol() {
		err = fmt.Errorf("rank %d has transport %s (%s) and rank %d %s (%s), which do not understand each other: "+
			"set SCTPMPI_TRANSPORT alike for all ranks", peer, transport, protocol, p.rank, p.transport.Name(), p.protocol())
		if strings.HasPrefix(protocol, "sctp/") && strings.HasPrefix(p.protocol(), "sctp/") {
			err = fmt.Errorf("%w, or SCTPMPI_ENCAPSULATE=1 for those whose transport is sctp-kernel, and SCTPMPI_ENCRYPT=off for all", err)
		}
		return card{}, err
	}
	if common != s.Common() {
		return card{}, fmt.Errorf("rank %d has %s and rank %d %s: all ranks must have the same byte order, SCTPMPI_UNEXPECTED_LIMIT, SCTPMPI_ENCRYPT and SCTPMPI_REPRODUCIBLE",
			peer, common, p.rank, s.Common())
	}
	return card{oversubscribed: fields[3] == "crowded=true", nearby: fields[4] == "near=true", address: fields[5]}, nil
}
