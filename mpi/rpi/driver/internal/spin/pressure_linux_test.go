package spin

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParsePressure(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"some avg10=0.07 avg60=14.07 avg300=31.13 total=19305379038\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n": 19305379038 * time.Microsecond,
		"some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n":                                                             0,
	} {
		got, err := parsePressure([]byte(text))
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, text := range []string{"", "some", "some total=", "some avg10=0 total=x\n", "full avg10=0.00 total=1\nsome avg10=0 total=1\n"} {
		_, err := parsePressure([]byte(text))
		assert.Error(t, err, text)
	}
}

// What the kernel of this machine counts, if it does, only grows.
func TestPressureGrows(t *testing.T) {
	pressure := openPressure()
	if pressure == nil {
		t.Log("not counted here: contention is not detected")
		return
	}
	before, err := pressure()
	require.NoError(t, err)
	after, err := pressure()
	require.NoError(t, err)
	assert.GreaterOrEqual(t, after, before)
}
