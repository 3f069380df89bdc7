package mpi

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
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
	p := &process{rank: l.Rank(), size: l.Size(), launcher: l}
	p.transport, err = open(rpi.Config{
		Rank: p.rank, Size: p.size,
		Lookup: func(ctx context.Context, peer int) (string, error) { return s.lookup(ctx, l, peer) },
		Token:  s.token, EagerLimit: s.eager, UnexpectedLimit: s.unexpected,
		ConnectTimeout: s.connectTimeout, Bind: s.bind, PortLow: s.portLow, PortHigh: s.portHigh,
	})
	if err != nil {
		return nil, fmt.Errorf("transport %s: %w", s.transport, err)
	}
	return p, nil
}

// join publishes how this process can be reached and waits until all have.
func (p *process) join(ctx context.Context, s *settings) error {
	if err := p.launcher.Put(ctx, addressKey(p.rank), s.card(p.transport.Address())); err != nil {
		return err
	}
	if err := p.launcher.Fence(ctx); err != nil {
		return err
	}
	if !s.connectEagerly {
		return nil
	}
	return p.transport.Connect(ctx)
}

const addressKeys = "sctpmpi-address-"

func addressKey(rank int) string { return addressKeys + strconv.Itoa(rank) }

// card is what a process publishes: its address, after what it must have in
// common with its peers, so that a difference is found before it does harm.
func (s *settings) card(address string) string { return s.common() + "," + address }

func (s *settings) common() string {
	order := "little"
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		order = "big"
	}
	return fmt.Sprintf("%s,%s-endian,unexpected-limit=%d", s.transport, order, s.unexpected)
}

// lookup reads the address of a peer from its card.
func (s *settings) lookup(ctx context.Context, l launcher, peer int) (string, error) {
	card, err := l.Get(ctx, addressKey(peer))
	if err != nil {
		return "", err
	}
	address, found := strings.CutPrefix(card, s.common()+",")
	if !found {
		return "", fmt.Errorf("rank %d published %q, which should begin with %q as on rank %d: all ranks must have the same transport, byte order and unexpected limit",
			peer, card, s.common(), l.Rank())
	}
	return address, nil
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

// partingTime bounds each step of leaving a job that waits for peers or the
// launcher after all have said that they are done.
const partingTime = 10 * time.Second

// finalize leaves the job, after a barrier that ended with err.
func (p *process) finalize(ctx context.Context, op string, err error) error {
	if p.finalized.Swap(true) {
		return invalid(op, ErrClosed, "the process has called Finalize already")
	}
	if errors.Is(err, ErrProcFailed) {
		err = nil
	}
	errs := []error{err}
	ctx = context.WithoutCancel(ctx)
	for _, step := range []struct {
		what string
		run  func(context.Context) error
	}{
		{"closing transport " + p.transport.Name(), p.transport.Close},
		{"taking leave of the launcher", p.launcher.Finalize},
	} {
		bounded, cancel := context.WithTimeout(ctx, partingTime)
		if err := step.run(bounded); err != nil {
			errs = append(errs, wrap(op, fmt.Errorf("%s: %w", step.what, err)))
		}
		cancel()
	}
	p.leave()
	return errors.Join(errs...)
}
