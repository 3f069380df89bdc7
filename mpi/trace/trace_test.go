package trace_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/trace"
)

// event is what is read of an event of a joined trace.
type event struct {
	Name     string         `json:"name"`
	Kind     string         `json:"ph"`
	Rank     int            `json:"pid"`
	Track    int            `json:"tid"`
	Time     float64        `json:"ts"`
	Duration float64        `json:"dur"`
	Args     map[string]any `json:"args"`
}

func read(t *testing.T, name string) (events []event) {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &events), "%s", text)
	return events[:len(events)-1] // the last one is empty
}

func TestTheEventsOfAllRanksAreOneTrace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.json")
	begin := time.Unix(1000, 5678)
	for rank := range 2 {
		r, err := trace.Create(name, rank, "rank")
		require.NoError(t, err)
		r.Track(1, "calls")
		r.Span(1, "Recv", begin, begin.Add(1500*time.Nanosecond), trace.Text("at", `a "file".go:3`), trace.Number("bytes", 8))
		r.Point(0, "send", begin)
		require.NoError(t, r.Close())
		r.Point(0, "after the end", begin)
	}
	missing, err := trace.Join(name, 3)
	require.NoError(t, err)
	assert.Equal(t, []int{2}, missing)
	all := read(t, name)
	require.Len(t, all, 2*5)
	assert.Equal(t, event{Name: "process_name", Kind: "M", Args: map[string]any{"name": "rank"}}, all[0])
	assert.Equal(t, event{
		Name: "Recv", Kind: "X", Rank: 1, Track: 1, Time: 1000_000_005.678, Duration: 1.5,
		Args: map[string]any{"at": `a "file".go:3`, "bytes": 8.},
	}, all[8])
	parts, err := filepath.Glob(name + ".*")
	require.NoError(t, err)
	assert.Empty(t, parts)
}

// Of a rank that was killed the last line may be cut.
func TestTheTraceOfAKilledRankIsRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.json")
	r, err := trace.Create(name, 0, "rank 0")
	require.NoError(t, err)
	r.Point(0, "send", time.Now())
	require.NoError(t, r.Close())
	text, err := os.ReadFile(trace.FileOf(name, 0))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(trace.FileOf(name, 0), text[:len(text)-5], 0o666))
	_, err = trace.Join(name, 1)
	require.NoError(t, err)
	assert.Len(t, read(t, name), 2)
}

func TestTraceThatCannotBeWritten(t *testing.T) {
	_, err := trace.Create(filepath.Join(t.TempDir(), "there", "is", "none"), 0, "rank 0")
	require.ErrorIs(t, err, os.ErrNotExist)
	if full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil {
		full.Close()
		name := filepath.Join(t.TempDir(), "trace")
		require.NoError(t, os.Symlink("/dev/full", trace.FileOf(name, 0)))
		r, err := trace.Create(name, 0, "rank 0")
		require.NoError(t, err)
		r.Point(0, "send", time.Now())
		require.ErrorContains(t, r.Close(), "no space left on device")
	}
}
