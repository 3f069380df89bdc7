package measure_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
)

// orders are those of two rounds.
func orders(seed uint64) (all [][]float64) {
	for _, order := range measure.Rounds(2, seed, numbers(10)) {
		all = append(all, order)
	}
	return all
}

func TestRoundHasEachJobOnceInAnOrderOfItsOwn(t *testing.T) {
	all := orders(7)
	assert.Len(t, all, 2)
	assert.ElementsMatch(t, numbers(10), all[0])
	assert.ElementsMatch(t, numbers(10), all[1])
	assert.NotEqual(t, all[0], all[1])
}

func TestSameSeedSameOrder(t *testing.T) {
	assert.Equal(t, orders(7), orders(7))
	assert.NotEqual(t, orders(7), orders(8))
}
