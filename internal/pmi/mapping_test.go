package pmi

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestProcessMapping(t *testing.T) {
	for _, test := range []struct {
		hosts []int
		want  string
	}{
		{[]int{0}, "(vector,(0,1,1))"},
		{[]int{0, 0, 0, 0}, "(vector,(0,1,4))"},
		{[]int{0, 0, 1, 1, 2, 2}, "(vector,(0,3,2))"},
		{[]int{0, 0, 0, 1, 2, 2}, "(vector,(0,1,3),(1,1,1),(2,1,2))"},
		{[]int{0, 1, 2, 0, 2, 0}, "(vector,(0,3,1),(0,1,1),(2,1,1),(0,1,1))"},
		{[]int{1, 1, 0}, "(vector,(1,1,2),(0,1,1))"},
	} {
		assert.Equal(t, test.want, processMapping(test.hosts))
	}
}
