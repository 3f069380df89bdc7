package record_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

func result(round int) record.Result {
	return record.Result{
		Key:    record.Key{Experiment: "e", Case: "loss=1%", Variant: "tcp", Round: round},
		Status: record.Done, Metrics: map[string]float64{"p99": 0.5},
	}
}

func TestResultsAreKeptAsTheyCome(t *testing.T) {
	dir := t.TempDir()
	f, err := record.Open(dir)
	require.NoError(t, err)
	assert.False(t, f.Has(result(1).Key))
	require.NoError(t, f.Add(result(1)))
	kept, err := record.Read(dir)
	require.NoError(t, err)
	assert.Equal(t, []record.Result{result(1)}, kept, "before Close")
	require.NoError(t, f.Close())

	f, err = record.Open(dir)
	require.NoError(t, err)
	assert.True(t, f.Has(result(1).Key))
	assert.False(t, f.Has(result(2).Key))
	require.NoError(t, f.Add(result(2)))
	require.NoError(t, f.Close())
	kept, err = record.Read(dir)
	require.NoError(t, err)
	assert.Len(t, kept, 2)
}

func TestLineThatWasCutOffIsRemoved(t *testing.T) {
	dir := t.TempDir()
	f, err := record.Open(dir)
	require.NoError(t, err)
	require.NoError(t, f.Add(result(1)))
	require.NoError(t, f.Close())
	name := filepath.Join(dir, record.FileName)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, append(data, data[:len(data)/2]...), 0o644))

	f, err = record.Open(dir)
	require.NoError(t, err)
	require.NoError(t, f.Add(result(2)))
	require.NoError(t, f.Close())
	kept, err := record.Read(dir)
	require.NoError(t, err)
	assert.Equal(t, []record.Result{result(1), result(2)}, kept)
}

func TestDamagedResultsAreNotWrittenOver(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, record.FileName), []byte("{}\nno JSON\n"), 0o644))
	_, err := record.Open(dir)
	assert.ErrorContains(t, err, "line 2")
}
