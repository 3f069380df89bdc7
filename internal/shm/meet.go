package shm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/shm/internal/meeting"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// placeSeparator stands between the address of a process in the network and the place where peers of its host meet it.
const placeSeparator = ";"

// Address returns what peers must know of this process, whose address in the network is given.
func (l *Link) Address(network string) string {
	if l.off {
		return network
	}
	return network + placeSeparator + l.name
}

// Network returns the configuration for the network: its Lookup returns the addresses of peers there.
func (l *Link) Network() rpi.Config {
	cfg := l.cfg
	cfg.Lookup = func(ctx context.Context, peer int) (string, error) {
		address, err := l.cfg.Lookup(ctx, peer)
		address, _, _ = strings.Cut(address, placeSeparator)
		return address, err
	}
	return cfg
}

// Why peers do not share memory, beside the errors of package meeting.
var (
	errNoPlace = errors.New("the peer shares no memory")
	errProcess = errors.New("the peer is not in this process")
	// errNoDoorbell: the network has no descriptor, or no descriptor is left.
	errNoDoorbell = errors.New("there is no doorbell")
)

// pauseBetweenDials is how long a meeting that the peer has begun has time before this process tries again.
const pauseBetweenDials = 10 * time.Millisecond

// decide finds out how a peer is reached.
func (l *Link) decide(p *peer) {
	if l.life.Over {
		p.stage = elsewhere // which says why
		return
	}
	p.stage, p.dialing = deciding, true
	l.life.Go(func() {
		select {
		case l.dials <- struct{}{}:
			defer func() { <-l.dials }()
		case <-l.life.Context.Done():
			return
		}
		ctx, cancel := l.cfg.Connecting(l.life.Context)
		defer cancel()
		err := l.meet(ctx, p)
		for errors.Is(err, meeting.ErrYours) && ctx.Err() == nil && l.isDeciding(p) {
			select {
			case <-time.After(pauseBetweenDials):
			case <-ctx.Done():
			}
			err = l.meet(ctx, p)
		}
		l.update(func() { l.dialed(p, err) })
		if l.reachedElsewhere(p) {
			l.cfg.Debug("no shared memory with rank %d: %v", p.rank, err)
		}
	})
}

func (l *Link) reachedElsewhere(p *peer) bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	return p.stage == elsewhere
}

func (l *Link) isDeciding(p *peer) bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	return p.stage == deciding
}

// dialed takes in how a meeting has ended that this process had begun. The progress token is held too.
func (l *Link) dialed(p *peer, err error) {
	p.dialing = false
	switch {
	case p.stage != deciding || p.accepting:
	case p.lost != nil:
		l.neverMet(p, p.lost)
	default:
		p.stage = elsewhere
		l.layer.SetReady(p.rank)
		l.life.Changed()
	}
}

// accepted takes in how a meeting has ended that the peer had begun, unless well. The progress token is held too.
func (l *Link) accepted(p *peer) {
	p.accepting = false
	switch {
	case p.stage != deciding || p.dialing:
	case p.lost != nil:
		l.neverMet(p, p.lost)
	default:
		p.stage = undecided
		if !p.queue.Empty() {
			l.layer.SetReady(p.rank)
		}
		l.life.Changed()
	}
}

// meet meets a peer. Without an error memory is shared with it, or that is decided otherwise.
func (l *Link) meet(ctx context.Context, p *peer) error {
	address, err := l.cfg.Lookup(ctx, int(p.rank))
	if err != nil {
		return err
	}
	_, place, found := strings.Cut(address, placeSeparator)
	switch {
	case !found:
		return errNoPlace
	case l.cfg.OneProcess:
		return l.join(p, place)
	}
	m, err := meeting.Dial(ctx, l.meetingConfig(), int(p.rank), place)
	if err != nil {
		return err
	}
	return l.share(ctx, m, true)
}

// admit answers a peer that has begun a meeting.
func (l *Link) admit(from int) meeting.Answer {
	l.lock.Lock()
	defer l.lock.Unlock()
	if !l.life.Running() || from == l.cfg.Rank {
		return meeting.Closed
	}
	switch p := l.peer(matching.Rank(from)); {
	case p.stage == undecided, p.stage == deciding && !p.accepting && l.cfg.Rank > from:
		p.stage, p.accepting = deciding, true
		return meeting.Welcome
	case p.stage == deciding:
		return meeting.Yours
	}
	return meeting.Closed
}

// attach puts memory that is shared with a peer into use. The neighbour is the link's from now on, in any case.
func (l *Link) attach(p *peer, e *end) error {
	l.life.Progress.Lock()
	defer l.life.Progress.Unlock()
	l.lock.Lock()
	defer l.lock.Unlock()
	if p.stage != deciding || l.life.Over {
		e.leave() // the peer may use it already
		e.neighbour.close()
		e.neighbour.forget()
		return rpi.ErrClosed
	}
	p.stage, p.accepting = shared, false
	p.reader.Last = true
	p.in, p.out, p.notifier, p.neighbour, p.lends = e.in, e.out, e.notifier, e.neighbour, e.lends
	l.made += e.made
	l.inbox.Attach(int(p.rank), p.in, p.out, p.notifier)
	l.attached.Add(1)
	l.layer.SetConnected(p.rank)
	l.driver.SetImmediate(p.rank)
	l.layer.SetReady(p.rank)
	l.life.Changed()
	if p.lost != nil {
		l.failAtEnd(p, p.lost)
		return nil
	}
	l.driver.Wake() // there may be something in the ring, and the peer cannot know that this process sleeps
	return nil
}

// failUndecided notes that a peer may share memory with this process, and does not answer.
func (l *Link) failUndecided(p *peer, cause error) {
	l.update(func() {
		if p.stage == deciding && !l.life.Over {
			l.neverMet(p, fmt.Errorf("no connection over shared memory: %w", cause))
		}
	})
}

// neverMet fails a peer with which nothing is shared.
func (l *Link) neverMet(p *peer, cause error) {
	p.stage = gone
	l.layer.Fail(p.rank, cause)
	l.drop(p)
	l.life.Changed()
}
