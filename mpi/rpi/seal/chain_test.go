package seal

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two ends that count the same records have the same keys, each for as many as agreed, and none opens what another has sealed.
func TestBothEndsOfAChainCountTheSame(t *testing.T) {
	const perKey = 3
	from, to := NewChain(NewSecret(token, "test/1"), ways[1], perKey), NewChain(NewSecret(token, "test/1"), ways[1], perKey)
	var sealer *Sealer
	var opener *Opener
	var records [][]byte
	for i := range 4 * perKey {
		require.Equal(t, from.Spent(), to.Spent())
		require.Equal(t, i%perKey == 0, from.Spent())
		if from.Spent() {
			sealer, opener = from.NextSealer(), to.NextOpener()
			for _, r := range records {
				_, err := opener.OpenUnseen(append([]byte(nil), r...), header)
				require.ErrorIs(t, err, ErrForged, "of an earlier key")
			}
		}
		assert.EqualValues(t, ways[1].Epoch+uint64(i/perKey), from.Epoch())
		r := record(t, sealer, "words")
		records = append(records, append([]byte(nil), r...))
		payload, err := opener.OpenNext(r, header)
		require.NoError(t, err)
		assert.Equal(t, "words", string(payload))
		from.Count(1)
		to.Count(1)
	}
	assert.Equal(t, from.Epoch(), to.Epoch())
}
