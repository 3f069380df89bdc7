package tx

import "time"

// Controller is a congestion control of one path. It sees events and answers
// with a window: as long as fewer bytes than that are in flight, one more packet
// may be sent. It is not safe for concurrent use.
//
// All its sizes are in bytes of whole DATA chunks, header and padding included,
// as RFC 9260, section 7.2, asks: what small messages add to the network counts.
type Controller interface {
	// Window returns the congestion window, at least one chunk of full size.
	Window() int
	// Acked tells of chunks that were acknowledged for the first time. It
	// comes before any Lost that follows from the same SACK.
	Acked(Ack)
	// Lost tells that a SACK has shown loss, once per fast recovery.
	Lost(now time.Duration)
	// Timeout tells that T3-rtx expired.
	Timeout(now time.Duration)
	// Judged tells, after one or more Lost and Timeout since the last Judged,
	// whether all of them were spurious: nothing had been lost. If so the window
	// is to be at least what it was before the first of them, and the control
	// goes on from there.
	Judged(now time.Duration, spurious bool)
	// Idle tells that nothing has been sent for that many timeouts in a row, of a
	// second at least each; it comes before the next packet.
	Idle(timeouts int)
	// SetMaxChunk changes PMDCS, the largest DATA chunk that fits a packet.
	SetMaxChunk(size int)
}

// RateController is a Controller that knows how fast the path delivers, and says how fast packets may leave. What it is told beside the
// events of a Controller comes after them: Missing after Lost or Timeout, and Delivered last of all that a SACK causes.
type RateController interface {
	Controller
	// Pacing returns the rate at which packets may leave, in bytes per second and above 0, and how many bytes may leave at once.
	Pacing() (rate float64, quantum int)
	// Resumed tells, before a packet leaves, that nothing is in flight since there was nothing to send.
	Resumed(now time.Duration)
	// Missing tells of a chunk that is taken for lost.
	Missing(Loss)
	// Delivered tells of a SACK that acknowledged something. It returns whether the control itself keeps the path from being used, so
	// that rates are to be taken as if there were not enough to send.
	Delivered(Delivery) (limited bool)
}

// Ack is what a SACK acknowledged on one path.
type Ack struct {
	Now time.Duration
	// Bytes were acknowledged. Flight were in flight before the SACK, when the
	// path was last asked for a packet.
	Bytes, Flight int
	// Recovery says that the path is in fast recovery, or that the window has been reduced for a mark and what had been sent by then is
	// under way.
	Recovery bool
	// Drained says that nothing of the path is outstanding any more.
	Drained bool
	// SRTT is the path's smoothed round trip, 0 when not yet measured, and RTT
	// that of the chunk sent last, 0 if all of them had been sent before.
	SRTT, RTT time.Duration
	// Sharing is how many paths to the peer have this one's bottleneck, this one included, if there are several: together they are to take
	// as much as one flow.
	Sharing int
}

// slowStartLimit is L of RFC 9260, section 7.2.1: by how many chunks of full
// size one SACK may raise the window in slow start. The RFC recommends 1 and
// allows more; a receiver that takes packets in batches acknowledges many with
// one SACK, and with 1 it would hold back slow start. What a raise lets out at
// once is bounded by the sender's burst limit.
const slowStartLimit = 8

// initialWindow is the window of RFC 9260, section 7.2.1, for IPv4 paths and,
// 60 bytes on the large side, for IPv6 ones.
func initialWindow(maxChunk int) int { return min(4*maxChunk, max(2*maxChunk, 4404)) }
