package process

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestShareOfTheProcessors(t *testing.T) {
	for _, c := range []struct{ processors, ranks, share int }{
		{processors: 64, ranks: 1, share: 64},
		{processors: 64, ranks: 4, share: 16},
		{processors: 64, ranks: 24, share: 2},
		{processors: 64, ranks: 64, share: 2},
		{processors: 64, ranks: 256, share: 2},
		{processors: 2, ranks: 1, share: 2},
		{processors: 2, ranks: 2, share: 2},
		{processors: 1, ranks: 1, share: 1},
		{processors: 1, ranks: 8, share: 1},
	} {
		assert.Equal(t, c.share, Share(c.processors, c.ranks), "%+v", c)
	}
}
