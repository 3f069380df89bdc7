package search

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/fasta"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

func TestHitsAreKept(t *testing.T) {
	queries, database := proteins(t, 40)
	job := NewJob(queries, database, blast)
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		_, err := job.Run(t.Context(), world, farm.Options{})
		return err
	}))
	state, err := job.MarshalBinary()
	require.NoError(t, err)
	other := NewJob(queries, database, blast)
	require.NoError(t, other.UnmarshalBinary(state))
	assert.Equal(t, job.best, other.best)
	for _, length := range []int{0, 1, len(state) / 2, len(state) - 1} {
		assert.ErrorContains(t, NewJob(queries, database, blast).UnmarshalBinary(state[:length]), "damaged")
	}
}

func TestKeyIsThatOfAllThatTheHitsDependOn(t *testing.T) {
	other := blast
	other.Top++
	named := NewSet([]fasta.Record{{ID: "x", Sequence: []byte("WWW")}})
	keys := map[string]bool{}
	for _, job := range []*Job{
		NewJob(set("WWW"), set("AAA"), blast), NewJob(set("WWW"), set("AAC"), blast), NewJob(set("WWW"), set("AAA", "C"), blast),
		NewJob(set("WWW"), set("AAA"), other), NewJob(named, set("AAA"), blast),
	} {
		keys[job.Key()] = true
	}
	assert.Len(t, keys, 5)
}
