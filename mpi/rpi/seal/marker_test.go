package seal

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// An ID is marked if a process with the secret has drawn it: as it is, and for no other secret.
func TestMarkedIDs(t *testing.T) {
	m, again := NewSecret([]byte("token"), "test").Marker(), NewSecret([]byte("token"), "test").Marker()
	others := []*Marker{NewSecret([]byte("another token"), "test").Marker(), NewSecret([]byte("token"), "another protocol").Marker()}
	drawn := make(map[ID]bool)
	for range 100 {
		id := m.NewID()
		assert.True(t, m.Marked(id))
		assert.True(t, again.Marked(id))
		for _, other := range others {
			assert.False(t, other.Marked(id))
		}
		for bit := range 8 * len(id) {
			changed := id
			changed[bit/8] ^= 1 << (bit % 8)
			assert.False(t, m.Marked(changed), "bit %d", bit)
		}
		assert.False(t, drawn[id])
		drawn[id] = true
	}
	assert.False(t, m.Marked(ID{}))
	assert.False(t, m.Marked(NewID()))
}

func BenchmarkMarked(b *testing.B) {
	m, id := NewSecret([]byte("token"), "test").Marker(), NewID()
	b.ReportAllocs()
	for b.Loop() {
		m.Marked(id)
	}
}
