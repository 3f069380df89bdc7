package rank

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryLinkCarriesAFlood(t *testing.T) {
	for _, name := range Links() {
		output, err := do(2, Order{Works: []Work{{Program: "gap", Link: name, Size: 8, Window: 4}, {Program: "eel", Link: name, Size: 8}}})
		require.NoError(t, err, name)
		assert.Positive(t, figures(t, output)[0]["gap_us"], name)
	}
}
