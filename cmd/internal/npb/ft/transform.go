package ft

import (
	"math"
	"math/cmplx"
)

// direction is the sign of the exponent in a transform.
type direction float64

const (
	forward  direction = -1
	backward direction = 1
)

// together is how many lines are transformed at a time: values next to each other in memory belong to different lines,
// and 16 lines of a few hundred values fit the processor's cache.
const together = 16

// transform transforms lines of n values, a power of two: value k becomes the sum of x[j]·exp(±2πi·jk/n). It is not
// divided by n.
type transform struct {
	n     int
	roots []complex128 // exp(2πi·k/n)
	a, b  []complex128 // value i of line l at i·width + l; a stage goes from one to the other
}

func newTransform(n int) *transform {
	t := &transform{n: n, roots: make([]complex128, n), a: make([]complex128, n*together), b: make([]complex128, n*together)}
	for k := range t.roots {
		t.roots[k] = cmplx.Exp(complex(0, 2*math.Pi*float64(k)/float64(n)))
	}
	return t
}

// rows transforms lines that follow each other.
func (t *transform) rows(rows []complex128, width int, d direction) {
	for l := range width {
		for i, value := range rows[l*t.n:][:t.n] {
			t.a[i*width+l] = value
		}
	}
	t.run(width, d)
	for l := range width {
		row := rows[l*t.n:][:t.n]
		for i := range row {
			row[i] = t.a[i*width+l]
		}
	}
}

// columns transforms lines that lie beside each other, each with its values at the same places.
func (t *transform) columns(from []complex128, places []int, width int, d direction) {
	for i, place := range places {
		copy(t.a[i*width:][:width], from[place:])
	}
	t.run(width, d)
	for i, place := range places {
		copy(from[place:][:width], t.a[i*width:])
	}
}

// run transforms the lines in a. A stage makes four transforms of a quarter of the length from each one, of every fourth
// value, and sorts as it goes (Stockham's way); if n is no power of four the last stage makes two from one.
func (t *transform) run(width int, d direction) {
	length, stride := t.n, width // of each transform, and between its values
	for ; length >= 4; length, stride = length/4, stride*4 {
		t.quarters(length, stride, d)
		t.a, t.b = t.b, t.a
	}
	if length == 2 {
		a0, a1 := t.a[:stride], t.a[stride:][:stride]
		b0, b1 := t.b[:stride], t.b[stride:][:stride]
		for i, v0 := range a0 {
			v1 := a1[i]
			b0[i], b1[i] = v0+v1, v0-v1
		}
		t.a, t.b = t.b, t.a
	}
}

// quarters is a stage, from a to b.
func (t *transform) quarters(length, stride int, d direction) {
	quarter := length / 4
	sign := float64(d)
	for p := range quarter {
		w1, w2, w3 := t.root(p*(t.n/length), d), t.root(2*p*(t.n/length), d), t.root(3*p*(t.n/length), d)
		a0, a1 := t.a[p*stride:][:stride], t.a[(p+quarter)*stride:][:stride]
		a2, a3 := t.a[(p+2*quarter)*stride:][:stride], t.a[(p+3*quarter)*stride:][:stride]
		b0, b1 := t.b[4*p*stride:][:stride], t.b[(4*p+1)*stride:][:stride]
		b2, b3 := t.b[(4*p+2)*stride:][:stride], t.b[(4*p+3)*stride:][:stride]
		for i, v0 := range a0 {
			v1, v2, v3 := a1[i], a2[i], a3[i]
			even, odd := v0+v2, v1+v3
			evenLess, oddLess := v0-v2, v1-v3
			turned := complex(-sign*imag(oddLess), sign*real(oddLess)) // ±i times it
			b0[i] = even + odd
			b1[i] = w1 * (evenLess + turned)
			b2[i] = w2 * (even - odd)
			b3[i] = w3 * (evenLess - turned)
		}
	}
}

// root is exp(±2πi·k/n).
func (t *transform) root(k int, d direction) complex128 {
	return complex(real(t.roots[k]), float64(d)*imag(t.roots[k]))
}
