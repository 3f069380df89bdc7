package process

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/sys/unix"
)

func TestRanksGetCoresOfTheirOwn(t *testing.T) {
	four := [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}
	for ranks, want := range map[int]Binding{
		1: {{0, 4, 1, 5, 2, 6, 3, 7}},
		2: {{0, 4, 1, 5}, {2, 6, 3, 7}},
		3: {{0, 4}, {1, 5}, {2, 6, 3, 7}},
		4: {{0, 4}, {1, 5}, {2, 6}, {3, 7}},
		8: {{0, 4}, {0, 4}, {1, 5}, {1, 5}, {2, 6}, {2, 6}, {3, 7}, {3, 7}},
	} {
		assert.Equal(t, want, divide(four, ranks))
	}
}

func TestProcessorsOfACoreStayTogether(t *testing.T) {
	var may unix.CPUSet
	for _, n := range []int{1, 2, 5, 700} {
		may.Set(n)
	}
	core := map[int]string{1: "1,5", 2: "2,6", 5: "1,5", 700: "700"}
	assert.Equal(t, [][]int{{1, 5}, {2}, {700}}, cores(&may, func(n int) string { return core[n] }))
}
