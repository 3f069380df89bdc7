package waiting

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEachCallFindsTheConnectionThatHasSomething(t *testing.T) {
	for _, call := range Calls {
		for _, n := range []int{1, 70} { // more than a word of select's set
			us, err := Measure(call, n, time.Millisecond)
			if errors.Is(err, errors.ErrUnsupported) {
				t.Skip("this system has no such calls")
			}
			require.NoError(t, err, call)
			assert.Positive(t, us)
		}
	}
	_, err := Measure("kqueue", 1, 0)
	assert.Error(t, err)
}
