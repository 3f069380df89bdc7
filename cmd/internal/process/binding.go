package process

import (
	"strconv"
	"strings"
)

// Binding has the processors of each rank of this host, in their order; nil: ranks may run on all.
type Binding [][]int

// Of returns the processors of the i-th rank, none if it may run on all.
func (b Binding) Of(i int) []int {
	if b == nil {
		return nil
	}
	return b[i]
}

// least is how many processors each rank has at least.
func (b Binding) least() int {
	n := len(b[0])
	for _, processors := range b {
		n = min(n, len(processors))
	}
	return n
}

// divide gives each of so many ranks cores of its own, neighbours and about as many as the others. Where there are fewer cores
// than ranks, some share one. Cores have the processors that belong to them.
func divide(cores [][]int, ranks int) Binding {
	b := make(Binding, ranks)
	for i := range b {
		first, end := i*len(cores)/ranks, (i+1)*len(cores)/ranks
		for _, core := range cores[first:max(end, first+1)] {
			b[i] = append(b[i], core...)
		}
	}
	return b
}

// List writes processors as 0,1,4.
func List(processors []int) string {
	var words []string
	for _, n := range processors {
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, ",")
}
