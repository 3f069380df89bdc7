package rpitest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// RunProgress checks that the transports which open makes keep the contract in the modes of
// progress that are not the default; see RunVariant.
func RunProgress(t *testing.T, open rpi.Open) {
	for _, mode := range []rpi.Progress{rpi.Event, rpi.Inline} {
		t.Run(mode.String(), func(t *testing.T) {
			RunVariant(t, func(cfg rpi.Config) (rpi.Transport, error) {
				cfg.Progress = mode
				transport, err := open(cfg)
				if err != nil || mode != rpi.Inline {
					return transport, err
				}
				return newPolled(transport), nil
			})
		})
	}
}

// polled is a transport of a program that calls Advance now and then, as one that looks
// whether its requests have completed does.
type polled struct {
	rpi.Transport
	rpi.Timed
	stop   context.CancelFunc
	poller sync.WaitGroup
}

const pollInterval = 200 * time.Microsecond

func newPolled(transport rpi.Transport) *polled {
	ctx, stop := context.WithCancel(context.Background())
	p := &polled{Transport: transport, Timed: transport.(rpi.Timed), stop: stop}
	p.poller.Go(func() {
		ticker := time.NewTicker(pollInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				p.Advance()
			case <-ctx.Done():
				return
			}
		}
	})
	return p
}

// unpolled is the transport itself.
func unpolled(t rpi.Transport) rpi.Transport {
	if p, ok := t.(*polled); ok {
		return p.Transport
	}
	return t
}

func (p *polled) Close(ctx context.Context) error {
	defer p.end()
	return p.Transport.Close(ctx)
}

func (p *polled) Kill() {
	defer p.end()
	p.Transport.Kill()
}

func (p *polled) end() {
	p.stop()
	p.poller.Wait()
}
