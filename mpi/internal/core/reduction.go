package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Reduction is the number of a reduction operation that all ranks know, so that they notice
// when they pass different ones. 0 is any other.
type Reduction uint8

// The reduction operations that have numbers (MPI 4.1, section 6.9.2).
const (
	Sum Reduction = 1 + iota
	Prod
	Max
	Min
	LogicalAnd
	LogicalOr
	LogicalXor
	BitAnd
	BitOr
	BitXor
	MaxLoc
	MinLoc
)

var reductions = [...]string{
	Sum: "sum", Prod: "product", Max: "max", Min: "min",
	LogicalAnd: "logical and", LogicalOr: "logical or", LogicalXor: "logical xor",
	BitAnd: "bitwise and", BitOr: "bitwise or", BitXor: "bitwise xor",
	MaxLoc: "max with location", MinLoc: "min with location",
}

func (r Reduction) String() string {
	if int(r) < len(reductions) && r > 0 {
		return reductions[r]
	}
	return "an operation of its own"
}

// Combine combines two vectors of a reduction, element by element: left = left ∘ right. It
// must not change right.
type Combine func(left, right []byte)

// reducing checks the arguments that reductions have in common. The receive
// buffer may be the send buffer (MPI_IN_PLACE).
func (k *call) reducing(send, recv Buffer, f Combine) *mpierr.Error {
	switch {
	case f == nil:
		return mpierr.Invalid(k.op, rpi.ErrOp, "the operation is nil")
	case recv.Len() != send.Len():
		return k.lengths(send, recv)
	case overlapping(send.Bytes(), recv.Bytes()) && !same(send.Bytes(), recv.Bytes()):
		return mpierr.Invalid(k.op, rpi.ErrBuffer, "the send and the receive buffer overlap without being the same")
	}
	return nil
}
