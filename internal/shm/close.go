package shm

import (
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Close ends the use of shared memory in good order: it sends what is queued and a Bye to every peer that is reached by it, and
// waits for theirs. If ctx ends before it returns a PartingError. Kill must follow.
func (l *Link) Close(ctx context.Context) error {
	if l.off {
		return nil
	}
	defer l.driver.Serve()()
	return l.life.Close(ctx, nil, l.part, func() {})
}

// part says Bye to those peers that have not heard it, and returns those with which there is something left to do.
func (l *Link) part() (peers []matching.Rank, done bool) {
	for _, p := range l.peers {
		if p != nil && p.stage == shared && !p.bye {
			p.bye = true
			l.layer.Bye(p.rank)
		}
	}
	for _, p := range l.peers {
		if p != nil && (p.stage == deciding || p.stage == shared && (!p.bye || !p.ended || p.busy())) {
			peers = append(peers, p.rank)
		}
	}
	return peers, len(peers) == 0
}

// Kill drops everything at once. Peers notice it. It is called when no goroutine waits in the driver any more. It may be
// called again. No lock is held.
func (l *Link) Kill() {
	if !l.off {
		l.life.Kill(l.stop, l.end)
	}
}

// stop ends the meetings.
func (l *Link) stop() {
	l.lock.Lock()
	deaths := l.deaths
	l.lock.Leave()
	unregister(l)
	if l.listener != nil {
		l.listener.Close()
	}
	if deaths != nil {
		deaths.close()
	}
}

// end gives up the peers, and then the memory.
func (l *Link) end() {
	for _, p := range l.peers {
		if p == nil {
			continue
		}
		if p.stage == shared {
			l.detach(p, func() {})
		}
		if p.stage != elsewhere {
			p.stage = gone
			l.drop(p)
		}
	}
	l.Ring()
	l.lock.Leave()
	defer l.lock.Enter()
	for _, p := range l.peers {
		if p != nil && p.neighbour != nil {
			p.neighbour.forget()
		}
	}
	if l.inbox != nil {
		l.inbox.close()
		l.inbox = nil
	}
	l.doorbell.Close()
	if l.beacon != nil {
		l.beacon.Close()
	}
}
