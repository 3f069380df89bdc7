package peer

import (
	"context"
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/link"
)

// Pair is two peers with a link between them. After an error it is of no use.
type Pair struct {
	// Addr is that of the end which listens.
	Addr            string
	listens, dialed *Process
}

// Open starts two peers and links them. Close must be called in the end.
func Open(ctx context.Context, command []string, transport string, o link.Options) (_ *Pair, err error) {
	p := new(Pair)
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	if p.listens, err = Start(command...); err != nil {
		return nil, err
	}
	if p.dialed, err = Start(command...); err != nil {
		return nil, err
	}
	reply, err := p.listens.Do(ctx, Request{Action: Listen, Transport: transport, Options: o})
	if err != nil {
		return nil, fmt.Errorf("listening: %w", err)
	}
	p.Addr = reply.Addr
	_, err = together(ctx, func(ctx context.Context) (Reply, error) {
		return p.dialed.Do(ctx, Request{Action: Dial, Transport: transport, Options: o, Addr: p.Addr})
	}, p.listens.Reply)
	if err != nil {
		return nil, fmt.Errorf("linking two peers: %w", err)
	}
	return p, nil
}

// Do has both ends do the same, and returns the initiator's reply.
func (p *Pair) Do(ctx context.Context, r Request) (Reply, error) {
	return together(ctx, func(ctx context.Context) (Reply, error) {
		return p.dialed.Do(ctx, r)
	}, func(ctx context.Context) (Reply, error) {
		return p.listens.Do(ctx, r)
	})
}

// Listener has the end that listens do something.
func (p *Pair) Listener(ctx context.Context, r Request) (Reply, error) { return p.listens.Do(ctx, r) }

// Admit has another peer make idle links to the end that listens.
func (p *Pair) Admit(ctx context.Context, other *Process, crowd Request) error {
	_, err := together(ctx, func(ctx context.Context) (Reply, error) {
		return other.Do(ctx, crowd)
	}, func(ctx context.Context) (Reply, error) {
		return p.listens.Do(ctx, Request{Action: Admit, Count: crowd.Count})
	})
	return err
}

// Close kills the peers.
func (p *Pair) Close() {
	for _, process := range []*Process{p.listens, p.dialed} {
		if process != nil {
			process.Close()
		}
	}
}

// together has two peers do something at the same time, and returns the reply of the
// first of them. An error of one ends the other, which might wait for it for ever.
func together(ctx context.Context, first, second func(context.Context) (Reply, error)) (Reply, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := second(ctx); err != nil {
			cancel(err)
		}
	}()
	reply, err := first(ctx)
	if err != nil {
		cancel(err)
	}
	<-done
	if ctx.Err() != nil {
		return Reply{}, context.Cause(ctx)
	}
	return reply, nil
}
