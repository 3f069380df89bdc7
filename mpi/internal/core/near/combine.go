package near

import "math/bits"

// A reduction has the same bits as that of package schedule for vectors of this length, whichever of its algorithms that would be. For that
// the vectors are combined in the same groups: those of ranks, or pairs of ranks, that stand side by side, then twice as many, and so on.

// Combination combines what all ranks have posted for a call. Function makes left the combination of left and right, and does not
// change right.
type Combination struct {
	Board    *Board
	Number   uint32
	Function func(left, right []byte)
	// Copies: the function gets no memory that other ranks share.
	Copies bool
	// Scratch is memory of ScratchSize bytes.
	Scratch []byte

	length int
	pairs  int // how many of the first places are two ranks
	places int
}

// ScratchSize is how many bytes of scratch memory it takes to combine vectors of a length.
func ScratchSize(length, ranks int) int { return bits.Len(uint(ranks)) * aligned(length) }

func aligned(length int) int { return (length + 15) &^ 15 }

// Allreduce leaves the combination in out, in the groups of schedule.Allreduce: the largest power of two of places, of which the first have
// two ranks each.
func (c *Combination) Allreduce(out []byte) {
	ranks := c.Board.ranks
	size := 1 << (bits.Len(uint(ranks)) - 1)
	c.length, c.pairs, c.places = len(out), ranks-size, size
	c.combine(out, 0, size, 0)
}

// Reduce leaves the combination in out, in the groups of schedule.Reduce: a place for each rank, and blocks that are not full at the end.
func (c *Combination) Reduce(out []byte) {
	ranks := c.Board.ranks
	c.length, c.pairs, c.places = len(out), 0, ranks
	c.combine(out, 0, 1<<bits.Len(uint(ranks-1)), 0)
}

// combine leaves in out the combination of size places from one on, as far as there are so many. The scratch memory below level is in use.
func (c *Combination) combine(out []byte, place, size, level int) {
	if size == 1 {
		c.read(out, place, level)
		return
	}
	half := size / 2
	c.combine(out, place, half, level)
	right := place + half
	switch {
	case right >= c.places:
	case half == 1 && right >= c.pairs:
		c.Function(out, c.right(right+c.pairs, level))
	default:
		other := c.scratch(level)
		c.combine(other, right, half, level+1)
		c.Function(out, other)
	}
}

// read leaves what is at a place in out.
func (c *Combination) read(out []byte, place, level int) {
	if place >= c.pairs {
		c.Board.Read(out, place+c.pairs, c.Number)
		return
	}
	c.Board.Read(out, 2*place, c.Number)
	c.Function(out, c.right(2*place+1, level))
}

// right is what a rank has posted, as the right side of a combination.
func (c *Combination) right(rank, level int) []byte {
	posted := c.Board.vector(rank, slotOf(c.Number), c.length)
	if !c.Copies {
		return posted
	}
	place := c.scratch(level)
	copy(place, posted)
	return place
}

func (c *Combination) scratch(level int) []byte {
	at := level * aligned(c.length)
	return c.Scratch[at : at+c.length : at+c.length]
}
