package kernel

import (
	"fmt"
	"time"

	"github.com/ishidawataru/sctp"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// watch has the pulses of peers taken, which ends when there are no peers.
func (e *endpoint) watch() {
	if !e.watching && !e.closed && e.config.PeerTimeout > 0 {
		e.watching = true
		e.watcher.Reset(max(e.config.PeerTimeout/beats, time.Millisecond))
	}
}

// takePulses takes the pulse of each peer. It makes two system calls for each at most.
func (e *endpoint) takePulses() {
	var peers []*association
	e.mu.Lock()
	for _, a := range e.assocs {
		if a.up {
			peers = append(peers, a)
		}
	}
	e.mu.Unlock()
	for _, a := range peers {
		if counters, err := e.counters(a.id); err == nil { // else it has ended
			e.takePulse(a, counters[packetsReceived])
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.watching = false
	if len(peers) > 0 {
		e.watch()
	}
}

// takePulse takes the pulse of a peer from which so many packets have come. It asks the peer for a
// sign of life, or gives it up.
func (e *endpoint) takePulse(a *association, packets uint64) {
	e.mu.Lock()
	if a.ended || e.closed {
		e.mu.Unlock()
		return
	}
	vitality := a.pulse.beat(packets)
	if vitality == dead {
		a.silenced = true
		a.forgo()
	}
	e.mu.Unlock()
	switch vitality {
	case doubtful:
		// If it fails the peer is asked at the next beat. No address stands for all.
		demand := pathParams{Assoc: int32(a.id), Flags: heartbeatDemand}
		_ = e.using(func(fd int) error { return set(fd, sctp.SCTP_PEER_ADDR_PARAMS, demand) })
	case dead:
		reason := fmt.Sprintf("%s for %v", socket.SilenceReason, e.config.PeerTimeout)
		_ = e.command(a.id, sctp.SCTP_ABORT, []byte(reason)) // again at the next beat, if it fails
	}
}
