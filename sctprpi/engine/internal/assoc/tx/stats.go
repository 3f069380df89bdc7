package tx

import "time"

// Stats counts what a Sender has done since it was made.
type Stats struct {
	// Messages and Bytes were acknowledged cumulatively; Bytes of user data.
	Messages, Bytes uint64
	// Chunks were sent, Retransmissions among them again.
	Chunks, Retransmissions uint64
	// SACKs were processed; StaleSACKs had been overtaken by later ones.
	SACKs, StaleSACKs uint64
	// Duplicates were reported by the peer: chunks that it had already.
	Duplicates uint64
	// Reneged counts chunks that the peer took back after having acknowledged
	// them by a gap ack block, or seemed to, when SACKs overtook each other. A
	// peer for which the number grows without end is not honest: each such SACK
	// costs time for the chunks in question.
	Reneged uint64
	// WindowProbes were sent into a closed receiver window.
	WindowProbes uint64
	// Expired messages ran out of their lifetime.
	Expired uint64
}

// PathStats is the state of a path and what has happened on it.
type PathStats struct {
	// Window and Flight are the congestion window and what is in flight, in
	// bytes of chunks with headers and padding.
	Window, Flight int
	// RTO is the current retransmission timeout; SRTT is 0 before the first
	// measurement.
	RTO, SRTT time.Duration
	// Recoveries, Timeouts and TailProbes count fast recoveries, expiries of
	// T3-rtx and tail-loss probes.
	Recoveries, Timeouts, TailProbes uint64
	// Undone counts how often reductions of the window were taken back, since
	// nothing had been lost.
	Undone uint64
	// Marks counts how often the window was reduced because the network had marked packets.
	Marks uint64
}
