package ranks

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTogetherWaitsForAllFunctions(t *testing.T) {
	done := make([]bool, 3)
	var work []func() error
	for i := range done {
		work = append(work, func() error { done[i] = true; return nil })
	}
	assert.NoError(t, together(work...))
	assert.Equal(t, []bool{true, true, true}, done)
}

// A receive from a peer that has failed would wait without end.
func TestTogetherReturnsTheFirstErrorWhileOtherFunctionsWait(t *testing.T) {
	failure := errors.New("a rank has failed")
	forever := make(chan struct{})
	defer close(forever)
	wait := func() error { <-forever; return nil }
	assert.ErrorIs(t, together(wait, func() error { return failure }, wait), failure)
}
