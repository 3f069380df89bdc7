package collective

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
	// Replace and NoOp are for one-sided operations (section 12.3.4).
	Replace
	NoOp
)

var reductions = [...]string{
	Sum: "sum", Prod: "product", Max: "max", Min: "min",
	LogicalAnd: "logical and", LogicalOr: "logical or", LogicalXor: "logical xor",
	BitAnd: "bitwise and", BitOr: "bitwise or", BitXor: "bitwise xor",
	MaxLoc: "max with location", MinLoc: "min with location",
	Replace: "replace", NoOp: "no operation",
}

func (r Reduction) String() string {
	if int(r) < len(reductions) && r > 0 {
		return reductions[r]
	}
	return "an operation of its own"
}
