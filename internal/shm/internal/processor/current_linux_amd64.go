package processor

// hasAux reports whether the processor has the instruction RDTSCP.
func hasAux() bool

// aux is what RDTSCP says beside the time: Linux keeps there the number of the processor, in the lowest 12 bits, and that of its node.
func aux() uint32

const numberBits = 12

func number() int { return int(aux() & (1<<numberBits - 1)) }

// known reports whether that is so, as the system itself says. Some sandboxes set nothing, or something else.
var known = hasAux() && agrees()

// agrees compares the two, once more if the caller has moved to another processor in between.
func agrees() bool {
	for range 10 {
		before, said, after := number(), getcpu(), number()
		if before == after {
			return said == before
		}
	}
	return false
}

func current() int {
	if known {
		return number()
	}
	return getcpu()
}
