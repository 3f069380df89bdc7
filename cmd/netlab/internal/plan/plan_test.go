package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

func experiment() plan.Experiment {
	e := plan.Experiment{Name: "e", Variants: []plan.Variant{{Name: "tcp"}, {Name: "sctp"}}}
	for loss := range 10 {
		e.Cases = append(e.Cases, plan.Case{Factors: []plan.Factor{{Name: "loss", Value: float64(loss), Unit: "%"}}})
	}
	return e
}

func TestRoundHasEachCellOnceInAnOrderOfItsOwn(t *testing.T) {
	e := experiment()
	first, second := e.Round(1, 7), e.Round(2, 7)
	assert.ElementsMatch(t, e.Cells(), first)
	assert.ElementsMatch(t, first, second)
	assert.NotEqual(t, first, second)
}

func TestSameSeedSameOrder(t *testing.T) {
	e := experiment()
	assert.Equal(t, e.Round(1, 7), e.Round(1, 7))
	assert.NotEqual(t, e.Round(1, 7), e.Round(1, 8))
}

func TestCaseTakesOnlyTheVariantsItNames(t *testing.T) {
	e := experiment()
	e.Cases = e.Cases[:2]
	e.Cases[0].Only = []string{"sctp"}
	assert.Len(t, e.Cells(), 3)
	assert.Equal(t, "sctp", e.Cells()[0].Variant.Name)
}

func TestCaseIsNamedByItsFactors(t *testing.T) {
	c := plan.Case{Factors: []plan.Factor{{Name: "size", Value: 30720, Label: "30 KiB"}, {Name: "loss", Value: 1, Unit: "%"}}}
	assert.Equal(t, "size=30 KiB, loss=1%", c.ID())
}
