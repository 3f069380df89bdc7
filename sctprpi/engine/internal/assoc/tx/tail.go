package tx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

const (
	// minProbeTimeout keeps a busy host's scheduling from looking like loss.
	minProbeTimeout = 10 * time.Millisecond
	// unmeasuredProbeTimeout is used before the first round trip is known.
	unmeasuredProbeTimeout = time.Second
)

// tailProbe is the tail-loss probe of one path (RFC 8985, section 7): when the
// end of a flight goes unanswered, one more chunk draws a SACK that shows what is
// missing, well before T3-rtx would collapse the window.
type tailProbe struct {
	// due: the next packet is the probe, whatever the congestion window.
	due bool
	// open: a probe has been sent and its outcome is not known. end is the
	// highest TSN sent by then; resent says that the probe, chunk, had been
	// sent before.
	open, resent bool
	chunk, end   wire.TSN
}

// timeout returns how long to wait for a SACK.
func (t *tailProbe) timeout(srtt time.Duration, onePacket bool, maxAckDelay time.Duration) time.Duration {
	if srtt == 0 {
		return unmeasuredProbeTimeout
	}
	wait := 2 * srtt
	if onePacket { // whose SACK the peer may delay
		wait += maxAckDelay
	}
	return max(wait, minProbeTimeout)
}

// settle handles a SACK and reports whether the probe has repaired a loss that
// nothing else showed, to which congestion control must react (section 7.4). Of
// the path's chunks, low is the lowest that is not acknowledged, high the highest
// that is.
func (t *tailProbe) settle(low, high wire.TSN, duplicates wire.Numbers[wire.TSN]) bool {
	if !t.open || low.LessEqual(t.end) {
		return false
	}
	switch {
	case !t.resent, duplicates.Contains(t.chunk):
		t.open = false // nothing was lost
	case t.end.Less(high):
		t.open = false
		return true
	}
	return false
}
