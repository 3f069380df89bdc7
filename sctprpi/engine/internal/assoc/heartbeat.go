package assoc

import (
	"encoding/binary"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// heartbeat tests a path that is idle (RFC 9260, section 8.3).
type heartbeat struct {
	// deadline is when the next one is due, or when the one under way counts
	// as unanswered.
	deadline time.Duration
	underWay bool
	nonce    uint64
	sent     time.Duration
	// used is when data was last sent.
	used time.Duration
}

// probe tests whether a packet of a size passes (RFC 8899).
type probe struct {
	due   bool
	size  int
	id    uint64
	nonce uint64
	sent  time.Duration
}

// What is in a heartbeat of ours: a nonce, which shows that the answer is one, the
// path, and what the heartbeat is for.
const (
	infoSize         = 12
	purposeHB        = 1
	purposeMTU       = 2
	purposeRebinding = 3
	// purposeWidth: whether a small packet passes where large ones do not.
	purposeWidth = 4
)

// beatInfo is what is in the answer to a heartbeat.
type beatInfo struct {
	nonce   uint64
	path    int
	purpose byte
}

// parseInfo reads a HEARTBEAT ACK chunk. ok is false if it answers none of ours.
func parseInfo(c wire.Chunk) (info beatInfo, ok bool) {
	b, err := wire.ParseHeartbeatAck(c)
	if err != nil || len(b) != infoSize {
		return info, false
	}
	return beatInfo{binary.BigEndian.Uint64(b), int(b[8]), b[9]}, true
}

func appendInfo(b []byte, nonce uint64, path int, purpose byte) []byte {
	b = binary.BigEndian.AppendUint64(b, nonce)
	return append(b, byte(path), purpose, 0, 0)
}

// interval draws the time to the next heartbeat of a path.
func (a *Association) interval(i int) time.Duration {
	rto := a.out.Path(tx.PathID(i)).RTO
	jitter := time.Duration(a.host.Random.Int64N(int64(rto) + 1))
	return a.host.Config.Heartbeat + rto/2 + jitter
}

// watch starts the heartbeats of a path: at once if it is yet to be confirmed, or if data may go there beside other paths, which takes its
// round trip to be known, and none has been sent yet.
func (a *Association) watch(now time.Duration, i int) {
	p := &a.paths[i]
	switch {
	case !p.confirmed, a.multipath() && p.beat.nonce == 0 && a.out.Path(tx.PathID(i)).SRTT == 0:
		p.beat.deadline = now
	case a.host.Config.Heartbeat > 0:
		p.beat.deadline = now + a.interval(i)
	}
}

// beatDue handles the timer of a path's heartbeat.
func (a *Association) beatDue(now time.Duration, i int) {
	p := &a.paths[i]
	h := &p.beat
	if h.underWay {
		h.underWay = false
		a.out.Backoff(tx.PathID(i))
		if !a.missed(now, i) {
			return
		}
		a.testRebinding(now, i)
		// Section 5.4: what never answered is given up in the end.
		if !p.confirmed && p.down {
			h.deadline = never
			return
		}
	} else if idle := h.used + a.host.Config.Heartbeat; p.confirmed && !p.down && h.used > 0 && idle > now {
		h.deadline = idle // data has tested the path
		return
	}
	if !p.confirmed && now < a.verification.next {
		h.deadline = a.verification.next
		return
	}
	a.sendBeat(now, i)
	if !p.confirmed {
		a.verification.next = h.deadline
	}
}

// sendBeat queues a heartbeat. If a path does not answer one, the next is sent at once, with twice the timeout. So a dead path is noticed
// after a few timeouts, and not after as many intervals.
func (a *Association) sendBeat(now time.Duration, i int) {
	p := &a.paths[i]
	p.beat.nonce, p.beat.sent, p.beat.underWay = a.host.Random.Uint64(), now, true
	rto := a.out.Path(tx.PathID(i)).RTO
	p.beat.deadline = now + rto
	if p.down { // no hurry any more
		p.beat.deadline = now + max(rto, a.host.Config.Heartbeat)
	}
	a.sendInfo(i, p.beat.nonce, purposeHB)
}

// sendInfo queues a HEARTBEAT chunk.
func (a *Association) sendInfo(i int, nonce uint64, purpose byte) {
	var info [infoSize]byte
	a.control(i, func(b []byte) []byte {
		return wire.AppendHeartbeat(b, appendInfo(info[:0], nonce, i, purpose))
	})
}

// heartbeatAck handles a HEARTBEAT ACK chunk. One that does not answer a heartbeat in flight is
// dropped: it may be forged.
func (a *Association) heartbeatAck(now time.Duration, c wire.Chunk) {
	info, ok := parseInfo(c)
	if !ok || info.path >= len(a.paths) {
		return
	}
	i := info.path
	p := &a.paths[i]
	switch {
	case info.purpose == purposeHB && p.beat.underWay && info.nonce == p.beat.nonce:
		a.answered(now, i, now-p.beat.sent)
	case info.purpose == purposeMTU && p.probe.nonce != 0 && info.nonce == p.probe.nonce:
		p.probe.nonce = 0
		a.discovery.answered, p.timeouts = true, 0
		a.out.Sample(tx.PathID(i), now-p.probe.sent)
		a.heard(now, i)
		if p.search.Acked(now, p.probe.id) {
			a.resized(i)
		}
	case info.purpose == purposeWidth && p.width.nonce != 0 && info.nonce == p.width.nonce:
		a.out.Sample(tx.PathID(i), now-p.width.sent)
		a.heard(now, i)
		a.smallPassed(i)
	}
}

// answered notes that the peer has answered a heartbeat on a path after a time.
func (a *Association) answered(now time.Duration, i int, after time.Duration) {
	p := &a.paths[i]
	p.beat.underWay = false
	a.out.Sample(tx.PathID(i), after)
	fresh := !p.confirmed
	p.confirmed = true
	a.heard(now, i)
	if fresh {
		a.verification.readdressed = true
		p.search.Start(now)
		a.verifyNext(now)
	}
	p.beat.deadline = never
	if a.state.testsPaths() {
		a.watch(now, i)
	}
}

// probeMTU starts a probe on a path if one is due.
func (a *Association) probeMTU(now time.Duration, i int) {
	p := &a.paths[i]
	if !a.discovery.begun || !p.up() || p.probe.due {
		return
	}
	size, id, ok := p.search.Probe(now, max(a.out.Path(tx.PathID(i)).RTO, leastProbeTimer))
	if ok {
		p.probe = probe{due: true, size: size, id: id, nonce: a.host.Random.Uint64() | 1}
	}
}
