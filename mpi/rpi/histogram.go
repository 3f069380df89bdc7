package rpi

import (
	"math/bits"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Histogram counts values by powers of two: the first place has the zeros, place i those from 2^(i-1) to 2^i - 1.
type Histogram [65]uint64

// Place is that of a value.
func Place(value uint64) int { return bits.Len64(value) }

// Add counts a value.
func (h *Histogram) Add(value uint64) { h[Place(value)]++ }

// Remove takes back what Add has counted.
func (h *Histogram) Remove(value uint64) { h[Place(value)]-- }

// Lengths are those of messages in bytes, by Kind: of what Snapshot counts as MessagesSent and MessagesReceived.
type Lengths [2]struct{ Sent, Received Histogram }

// Kinds of messages: those of the program's sends, and those that collective and one-sided operations need.
const (
	PointToPoint = iota
	Collective
)

// Kind is that of the messages in a context.
func Kind(c matching.Context) int {
	if c&(InOrder|Internal) == 0 {
		return PointToPoint
	}
	return Collective
}
