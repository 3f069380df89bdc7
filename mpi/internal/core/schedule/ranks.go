package schedule

// Ranks are those that take part in an algorithm: all of a communicator, or some of them.
type Ranks struct {
	// Me is this rank's place among them, Size their number.
	Me, Size int
	// In has the rank in the communicator of each, nil if it is the place itself.
	In []int32
}

// At is the rank in the communicator of the one at place i. Places count around: -1 is the last.
func (r Ranks) At(i int) int {
	i = ((i % r.Size) + r.Size) % r.Size
	if r.In == nil {
		return i
	}
	return int(r.In[i])
}

// Vector is Count elements of Elem bytes each, which a reduction combines element by element.
type Vector struct{ Count, Elem int }

// Length is the length of the vector in bytes.
func (v Vector) Length() int { return v.Count * v.Elem }

// cut is where the i-th of n nearly equal pieces of the vector begins, in bytes.
func (v Vector) cut(n, i int) int {
	return (v.Count/n*i + min(i, v.Count%n)) * v.Elem
}
