package record_test

import (
	"bytes"
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

func TestResultsAreReadFromTheCSVThatIsWritten(t *testing.T) {
	all := []record.Result{result(1), result(2), result(1)}
	all[1].Status, all[1].Error, all[1].Metrics = record.TimedOut, "more than 30s", nil
	all[2].Late, all[2].Metrics = 12.5, map[string]float64{"p99": 0.25, "time": 3}
	var file bytes.Buffer
	require.NoError(t, record.WriteCSV(&file, all))
	read, err := record.ReadCSV(&file)
	require.NoError(t, err)
	for _, cells := range [][]*record.Cell{record.Cells(all), record.Cells(read)} {
		require.Len(t, cells, 1)
		assert.Equal(t, 1, cells[0].Done, "a job that was run again has the last of its results")
		assert.Equal(t, map[string][]float64{"p99": {0.25}, "time": {3}}, cells[0].Values)
		assert.Equal(t, []float64{12.5}, cells[0].Late)
		require.Len(t, cells[0].Failures, 1)
		assert.Equal(t, 2, cells[0].Failures[0].Round)
	}
}

func TestDisturbedResultsAreReadAsSuch(t *testing.T) {
	dir := t.TempDir()
	f, err := record.Open(dir)
	require.NoError(t, err)
	defer f.Close()
	r := result(1)
	r.Late = record.DisturbedBy + 1
	require.NoError(t, f.Add(r))
	kept, err := record.Read(dir)
	require.NoError(t, err)
	assert.Equal(t, record.Disturbed, kept[0].Status)
	cells := record.Cells(kept)
	assert.Equal(t, 1, cells[0].Disturbed)
	assert.Empty(t, cells[0].Values)
}
