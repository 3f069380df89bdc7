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

func TestRatioIsByTheCaseThatDiffersInItsFactorAlone(t *testing.T) {
	factors := func(size, loss float64) plan.Case {
		return plan.Case{Factors: []plan.Factor{{Name: "size", Value: size}, {Name: "loss", Value: loss, Unit: "%"}}}
	}
	all := []plan.Case{factors(1, 0), factors(1, 2), factors(2, 0), factors(2, 2), factors(3, 2)}
	clean := plan.Ratio{Metric: "time", Factor: "loss", Value: 0}
	for i, want := range map[int]int{0: 0, 1: 0, 2: 2, 3: 2} {
		other, found := clean.Other(&all[i], all)
		assert.True(t, found)
		assert.Same(t, &all[want], other)
	}
	_, found := clean.Other(&all[4], all)
	assert.False(t, found)
	other, found := plan.Ratio{Metric: "time", Variant: "tcp"}.Other(&all[3], all)
	assert.True(t, found)
	assert.Same(t, &all[3], other)
}
