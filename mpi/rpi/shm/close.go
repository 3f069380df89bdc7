package shm

import (
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
)

// Close ends the use of shared memory in good order: it sends what is queued and a Bye to every peer that is reached by it, and
// waits for theirs. If ctx ends before it returns a PartingError. Kill must follow.
func (l *Link) Close(ctx context.Context) error {
	if l.off {
		return nil
	}
	defer monitor.WakeAtEnd(ctx, l.changed)()
	defer l.driver.Serve()()
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.state != running {
		return nil
	}
	l.state = closing
	missed := l.part()
	for len(missed) > 0 && ctx.Err() == nil {
		l.changed.Wait()
		missed = l.part()
	}
	if len(missed) > 0 {
		return &rpi.PartingError{Peers: missed, Cause: ctx.Err()}
	}
	return nil
}

// part says Bye to those peers that have not heard it, and returns those with which there is something left to do. The lock is
// held.
func (l *Link) part() (peers []matching.Rank) {
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
	return peers
}

// Kill drops everything at once. Peers notice it. It is called when no goroutine waits in the driver any more. It may be
// called again. No lock is held.
func (l *Link) Kill() {
	l.lock.Lock()
	done := l.off || l.state == closed
	l.state = closed
	l.changed.Broadcast()
	deaths := l.deaths
	l.lock.Leave()
	if done {
		return
	}
	l.cancel()
	unregister(l)
	if l.listener != nil {
		l.listener.Close()
	}
	if deaths != nil {
		deaths.close()
	}
	l.background.Wait()
	l.progress.Lock()
	defer l.progress.Unlock()
	l.lock.Lock()
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
