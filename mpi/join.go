package mpi

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
)

// open makes the process that launcher l knows, with its transport.
func (s *settings) open(l launcher) (*process, error) {
	if l.Size() > maxJobSize {
		return nil, fmt.Errorf("a job of %d processes; the limit is %d", l.Size(), maxJobSize)
	}
	_, open, err := findTransport(s.transport)
	if err != nil {
		return nil, err
	}
	p := &process{rank: l.Rank(), size: l.Size(), oversubscribed: s.oversubscribed, launcher: l, watch: watch{every: askAfter}, finalizeTimeout: s.finalizeTimeout}
	p.transport, err = open(rpi.Config{
		Rank: p.rank, Size: p.size,
		Lookup: func(ctx context.Context, peer int) (string, error) { return p.lookup(ctx, s, peer) },
		Token:  s.token, EagerLimit: s.eager, UnexpectedLimit: s.unexpected,
		ConnectTimeout: s.connectTimeout, PeerTimeout: s.peerTimeout, Bind: s.bind, PortLow: s.portLow, PortHigh: s.portHigh,
		Progress: s.progress, Spin: s.spin, Oversubscribed: s.oversubscribed,
		SharedMemory: s.sharesMemory(p.rank), OneProcess: s.oneProcess, LocalSize: s.localSize, Launcher: launcherProcess(),
		Debug: s.debugTo(os.Stderr, p.rank),
	})
	if err != nil {
		if errors.Is(err, ErrArg) {
			return nil, err // a variable, which it names
		}
		return nil, fmt.Errorf("transport %s: %w", s.transport, err)
	}
	return p, nil
}

// join publishes how this process can be reached, and waits until all processes have. It
// fails if this process could not talk with rank 0. So of two processes that could not talk
// with each other one fails at least.
func (p *process) join(ctx context.Context, s *settings) error {
	if err := p.launcher.Watch(ctx, p.orphaned, p.asked); err != nil {
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
	if p.rank != 0 {
		first, err := p.read(ctx, s, 0)
		if err != nil {
			return err
		}
		p.oversubscribed = first.oversubscribed
	}
	if !s.connectEagerly {
		return nil
	}
	p.waitsFor("Init", "for connections with all ranks")
	err := p.transport.Connect(ctx)
	if gone, ok := errors.AsType[*rpi.PeerError](err); ok {
		p.peerFailed(gone.Peer)
	}
	return err
}

const addressKeys = "sctpmpi-address-"

func addressKey(rank int) string { return addressKeys + strconv.Itoa(rank) }

// card returns what a process publishes: its transport and address, after what it must have
// in common with its peers, so that a difference is found before it does harm.
func (p *process) card(s *settings) string {
	return strings.Join([]string{
		p.protocol(), s.common(), p.transport.Name(), "crowded=" + strconv.FormatBool(p.oversubscribed), p.transport.Address(),
	}, cardSeparator)
}

const cardSeparator = ","

// card is what this process needs of what a peer has published.
type card struct {
	oversubscribed bool
	address        string
}

// protocol is what the transports of all peers must speak. It is the transport's name,
// unless the transport names a protocol that it shares with others.
func (p *process) protocol() string {
	if t, ok := p.transport.(interface{ Protocol() string }); ok {
		return t.Protocol()
	}
	return p.transport.Name()
}

func (s *settings) common() string {
	order := "little"
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		order = "big"
	}
	return fmt.Sprintf("%s-endian/unexpected-limit=%d", order, s.unexpected)
}

// lookup reads the address of a peer from its card.
func (p *process) lookup(ctx context.Context, s *settings, peer int) (string, error) {
	c, err := p.read(ctx, s, peer)
	return c.address, err
}

// read reads the card of a peer. Once begun it does not end with ctx, because a question to the
// launcher can be given up only together with the connection to it. A transport that does not need
// the answer any more, as the peer has connected or the transport is closed, must not cost that.
func (p *process) read(ctx context.Context, s *settings, peer int) (card, error) {
	if ctx.Err() != nil {
		return card{}, context.Cause(ctx)
	}
	asking, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), s.connectTimeout, rpi.Overdue(s.connectTimeout))
	defer cancel()
	text, err := p.launcher.Get(asking, addressKey(peer))
	if err != nil {
		return card{}, err
	}
	fields := strings.SplitN(text, cardSeparator, 5)
	if len(fields) < 5 {
		return card{}, fmt.Errorf("rank %d published %q, which is not what this version of the library does", peer, text)
	}
	protocol, common, transport := fields[0], fields[1], fields[2]
	if protocol != p.protocol() {
		err = fmt.Errorf("rank %d has transport %s (%s) and rank %d %s (%s), which do not understand each other: "+
			"set SCTPMPI_TRANSPORT alike for all ranks", peer, transport, protocol, p.rank, p.transport.Name(), p.protocol())
		if strings.HasPrefix(protocol, "sctp/") && strings.HasPrefix(p.protocol(), "sctp/") {
			err = fmt.Errorf("%w, or SCTPMPI_ENCAPSULATE=1 for those whose transport is %s", err, sctprpi.KernelName)
		}
		return card{}, err
	}
	if common != s.common() {
		return card{}, fmt.Errorf("rank %d has %s and rank %d %s: all ranks must have the same byte order and SCTPMPI_UNEXPECTED_LIMIT",
			peer, common, p.rank, s.common())
	}
	return card{oversubscribed: fields[3] == "crowded=true", address: fields[4]}, nil
}

const tokenKey = "sctpmpi-token"

// agreeOnToken gives all processes of a job the token that rank 0 makes up,
// for launchers that give none.
func agreeOnToken(ctx context.Context, l launcher) ([]byte, error) {
	if l.Size() == 1 {
		return newToken(), nil
	}
	if l.Rank() == 0 {
		if err := l.Put(ctx, tokenKey, hex.EncodeToString(newToken())); err != nil {
			return nil, err
		}
	}
	if err := l.Fence(ctx); err != nil {
		return nil, err
	}
	text, err := l.Get(ctx, tokenKey)
	if err != nil {
		return nil, err
	}
	return hex.DecodeString(text)
}

func newToken() []byte {
	token := make([]byte, minToken)
	rand.Read(token) // never fails
	return token
}
