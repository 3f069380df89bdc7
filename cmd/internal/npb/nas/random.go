package nas

// Multiplier is a in the sequence x' = a·x mod 2^46, which is 5^13.
const Multiplier = 1220703125

// Modulus is 2^46. Mask takes a product modulo it: an uint64 holds more bits than matter.
const (
	Modulus = 1 << 46
	Mask    = Modulus - 1
)

// Random is the generator of the benchmarks, x' = a·x mod 2^46. Its value is x.
type Random uint64

// Next steps on, and returns x' / 2^46: a number between 0 and 1.
func (r *Random) Next() float64 { return r.NextBy(Multiplier) }

// NextBy is Next with another a.
func (r *Random) NextBy(a uint64) float64 {
	*r = Random(uint64(*r) * a & Mask)
	return float64(*r) * (1. / Modulus)
}

// Fill fills a slice with the next numbers.
func (r *Random) Fill(x []float64) {
	state := uint64(*r)
	for i := range x {
		state = state * Multiplier & Mask
		x[i] = float64(state) * (1. / Modulus)
	}
	*r = Random(state)
}

// Skip steps on n times, in a time that grows as the logarithm of n.
func (r *Random) Skip(n uint64) { *r = Random(uint64(*r) * Power(Multiplier, n) & Mask) }

// Power is a^n mod 2^46.
func Power(a, n uint64) uint64 {
	power := uint64(1)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			power = power * a & Mask
		}
		a = a * a & Mask
	}
	return power
}
