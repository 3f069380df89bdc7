// Package top makes text of a job that runs: a table of its ranks, who waits for whom, and the connections between them, for
// mpirun status and mpirun top. What it draws depends on two looks at the job and on the size of the terminal alone.
package top

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
)

// Report is how a job does, from two looks at it.
type Report struct {
	sight.Job
	// Ranks are all of them, by number.
	Ranks []Row `json:"ranks"`
	// Holding are the ranks that others wait for and that do not wait themselves, that with most others first.
	Holding []Holding `json:"holding,omitempty"`
}

// Row is a rank with its rates, each a second.
type Row struct {
	sight.Rank
	SentRate          float64 `json:"sentRate"`
	ReceivedRate      float64 `json:"receivedRate"`
	BytesSentRate     float64 `json:"bytesSentRate"`
	BytesReceivedRate float64 `json:"bytesReceivedRate"`
	ResentRate        float64 `json:"resentRate"`
	// Processors is how many the rank had at a time.
	Processors float64 `json:"processors"`
	// RoundTrip is the longest of its connections.
	RoundTrip time.Duration `json:"roundTrip"`
	// HeldUp is how many ranks wait for it, if it does not wait itself: see Holding.
	HeldUp int `json:"heldUp,omitempty"`
}

// NewReport makes a report of how a job is now, with the rates since it was looked at before. Ranks about which nothing was known then
// have those since their Init.
func NewReport(now, before sight.Job) Report {
	r := Report{Job: now, Ranks: make([]Row, len(now.Ranks)), Holding: holding(now.Ranks)}
	r.Job.Ranks = nil
	for i, rank := range now.Ranks {
		var then sight.Rank
		if i < len(before.Ranks) && before.Ranks[i].Known && before.Ranks[i].Elapsed < rank.Elapsed {
			then = before.Ranks[i]
		}
		r.Ranks[i] = newRow(rank, then)
		if r.Ranks[i].Age > 0 { // it has said nothing new
			r.Ranks[i] = newRow(rank, rank)
		}
	}
	for _, h := range r.Holding {
		r.Ranks[h.Rank].HeldUp = h.Waiting
	}
	return r
}

func newRow(now, then sight.Rank) Row {
	row, span := Row{Rank: now}, (now.Elapsed - then.Elapsed).Seconds()
	for _, p := range now.Peers {
		row.RoundTrip = max(row.RoundTrip, p.RoundTrip)
	}
	if span <= 0 {
		return row
	}
	rate := func(now, then uint64) float64 {
		if now < then { // a connection has ended, and its count with it
			return 0
		}
		return float64(now-then) / span
	}
	row.SentRate, row.ReceivedRate = rate(now.Sent, then.Sent), rate(now.Received, then.Received)
	row.BytesSentRate, row.BytesReceivedRate = rate(now.BytesSent, then.BytesSent), rate(now.BytesReceived, then.BytesReceived)
	row.ResentRate = rate(now.Resent, then.Resent)
	row.Processors = (now.Processor - then.Processor).Seconds() / span
	return row
}
