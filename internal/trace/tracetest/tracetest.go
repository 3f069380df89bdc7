// Package tracetest reads traces strictly, for tests of what writes them.
package tracetest

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// Event has the members of an event that the Trace Event Format defines and package trace writes. Times are in microseconds.
type Event struct {
	Name     string         `json:"name"`
	Kind     string         `json:"ph"`
	Rank     int            `json:"pid"`
	Track    int            `json:"tid"`
	Time     *float64       `json:"ts"`
	Duration *float64       `json:"dur"`
	Scope    string         `json:"s"`
	Category string         `json:"cat"`
	ID       string         `json:"id"`
	Bind     string         `json:"bp"`
	Args     map[string]any `json:"args"`
}

// track is one of a rank.
type track struct{ rank, number int }

// Read reads a trace as the Trace Event Format has it: an array of events, each with what its kind needs and nothing
// else. Ranks and tracks have names, and on a track one span ends before the next one begins, or is within it.
func Read(t testing.TB, name string, ranks int) (events []Event) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	require.NoError(t, in.Decode(&events))
	_, err = in.Token()
	require.ErrorIs(t, err, io.EOF, "nothing follows the array")
	named, used, spans := make(map[track]string), make(map[track]bool), make(map[track][]Event)
	for _, e := range events {
		of := track{e.Rank, e.Track}
		arrow := e.Kind == "s" || e.Kind == "f"
		require.Contains(t, []string{"M", "X", "i", "s", "f", "C"}, e.Kind)
		require.Equal(t, e.Kind == "M", e.Time == nil, "%+v", e)
		require.Equal(t, e.Kind == "X", e.Duration != nil, "%+v", e)
		require.Equal(t, e.Kind == "i", e.Scope == "t", "%+v", e)
		require.Equal(t, arrow, e.ID != "" && e.Category == "message", "%+v", e)
		require.Equal(t, e.Kind == "f", e.Bind == "e", "%+v", e)
		require.True(t, e.Rank >= 0 && e.Rank < ranks, "%+v", e)
		switch {
		case e.Kind == "C":
			require.Len(t, e.Args, 1)
			require.GreaterOrEqual(t, e.Args["value"], 0.)
		case e.Kind != "M":
			used[of] = true
		case e.Name == "thread_name":
			named[of] = e.Args["name"].(string)
		case e.Name == "process_name":
			named[track{e.Rank, -1}] = e.Args["name"].(string)
		default:
			require.Equal(t, "process_sort_index", e.Name)
			require.EqualValues(t, e.Rank, e.Args["sort_index"])
		}
		if e.Kind == "X" {
			require.GreaterOrEqual(t, *e.Duration, 0.)
			spans[of] = append(spans[of], e)
		}
	}
	for of := range used {
		require.NotEmpty(t, named[of], "track %v", of)
		require.NotEmpty(t, named[track{of.rank, -1}], "rank %d", of.rank)
	}
	for _, all := range spans {
		requireNested(t, all)
	}
	return events
}

// requireNested requires that of two spans of a track one is before or within the other.
func requireNested(t testing.TB, spans []Event) {
	t.Helper()
	const exact = 1 // a float64 rounds such times to quarters of microseconds
	for _, long := range spans {
		if *long.Duration == 0 {
			continue
		}
		begin, end := *long.Time, *long.Time+*long.Duration
		for _, e := range spans {
			from, to := *e.Time, *e.Time+*e.Duration
			before, after := to <= begin+exact, from >= end-exact
			within, around := from >= begin-exact && to <= end+exact, from <= begin+exact && to >= end-exact
			require.True(t, before || after || within || around, "%+v and %+v", long, e)
		}
	}
}

// RequireArrows requires that each arrow has exactly one begin and one end, that this is not before that, and that there is a span on the
// track of each at its time. It returns from which rank to which they are.
func RequireArrows(t testing.TB, events []Event) (arrows [][2]int) {
	t.Helper()
	type place struct {
		track
		time float64
	}
	begins, ends, spans := make(map[string]Event), make(map[string]Event), make(map[place]bool)
	for _, e := range events {
		if e.Kind == "X" {
			spans[place{track{e.Rank, e.Track}, *e.Time}] = true
		}
	}
	for _, e := range events {
		all := map[string]map[string]Event{"s": begins, "f": ends}[e.Kind]
		if all == nil {
			continue
		}
		require.NotContains(t, all, e.ID)
		require.True(t, spans[place{track{e.Rank, e.Track}, *e.Time}], "%+v", e)
		all[e.ID] = e
	}
	require.Len(t, ends, len(begins))
	for id, begin := range begins {
		require.Contains(t, ends, id)
		require.LessOrEqual(t, *begin.Time, *ends[id].Time)
		arrows = append(arrows, [2]int{begin.Rank, ends[id].Rank})
	}
	return arrows
}
