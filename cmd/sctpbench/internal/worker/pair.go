package worker

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
)

// Pair is two worker processes with a link between them. After an error it cannot be used any
// more.
type Pair struct {
	addr              string // of the listening end
	listening, dialed *Process
}

// Open starts two worker processes and links them. The caller must Close the pair.
func Open(ctx context.Context, command []string, transport string, o link.Options) (_ *Pair, err error) {
	p := new(Pair)
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	if p.listening, err = Start(command...); err != nil {
		return nil, err
	}
	if p.dialed, err = Start(command...); err != nil {
		return nil, err
	}
	reply, err := p.listening.Do(ctx, Request{Action: Listen, Transport: transport, Options: o})
	if err != nil {
		return nil, fmt.Errorf("listening: %w", err)
	}
	p.addr = reply.Addr
	_, err = both(ctx, func(ctx context.Context) (Reply, error) {
		return p.dialed.Do(ctx, Request{Action: Dial, Transport: transport, Options: o, Addr: p.addr})
	}, p.listening.Reply)
	if err != nil {
		return nil, fmt.Errorf("linking two worker processes: %w", err)
	}
	return p, nil
}

// Do asks both ends for the same, and returns the initiator's reply.
func (p *Pair) Do(ctx context.Context, r Request) (Reply, error) {
	return both(ctx, func(ctx context.Context) (Reply, error) {
		return p.dialed.Do(ctx, r)
	}, func(ctx context.Context) (Reply, error) {
		return p.listening.Do(ctx, r)
	})
}

// Listener sends a request to the listening end.
func (p *Pair) Listener(ctx context.Context, r Request) (Reply, error) {
	return p.listening.Do(ctx, r)
}

// AddIdle has another process make idle links to the listening end.
func (p *Pair) AddIdle(ctx context.Context, other *Process, transport string, count int) error {
	_, err := both(ctx, func(ctx context.Context) (Reply, error) {
		return other.Do(ctx, Request{Action: DialIdle, Transport: transport, Addr: p.addr, Count: count})
	}, func(ctx context.Context) (Reply, error) {
		return p.listening.Do(ctx, Request{Action: AcceptIdle, Count: count})
	})
	return err
}

// Close kills the processes.
func (p *Pair) Close() {
	for _, process := range []*Process{p.listening, p.dialed} {
		if process != nil {
			process.Close()
		}
	}
}

// both asks two processes at the same time and returns the reply of the first. If one fails, the
// other is killed, as it could wait for the failed one without end.
func both(ctx context.Context, first, second func(context.Context) (Reply, error)) (reply Reply, err error) {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		reply, err = first(ctx)
		return err
	})
	g.Go(func() error {
		_, err := second(ctx)
		return err
	})
	err = g.Wait()
	return reply, err
}
