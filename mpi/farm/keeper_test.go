package farm

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// words is a State.
type words string

func (s *words) MarshalBinary() ([]byte, error) { return []byte(*s), nil }
func (s *words) UnmarshalBinary(b []byte) error { *s = words(b); return nil }

// A checkpoint is written with the first result after the time that Checkpoint.Every says, a minute if nothing is said.
func TestCheckpointIsWrittenAfterATime(t *testing.T) {
	for name, c := range map[string]struct {
		Checkpoint
		after time.Duration
	}{
		"every ten seconds": {Checkpoint{Every: 10 * time.Second}, 10 * time.Second},
		"or results":        {Checkpoint{Every: 10 * time.Second, Results: 1000}, 10 * time.Second},
		"by default":        {Checkpoint{}, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				file, state, done := filepath.Join(t.TempDir(), "c"), new(words), set{}
				c.File, c.State = file, state
				k, err := openCheckpoint(c.Checkpoint, 10, &done)
				require.NoError(t, err)
				empty, err := os.ReadFile(file)
				require.NoError(t, err)
				for range 3 {
					*state += "more"
					time.Sleep(c.after - time.Nanosecond)
					require.NoError(t, k.collected(&done))
					assert.Nil(t, k.writing, "too early")
					time.Sleep(time.Nanosecond)
					require.NoError(t, k.collected(&done))
					require.NotNil(t, k.writing)
					require.NoError(t, <-k.writing)
					k.writing = nil
					now, err := os.ReadFile(file)
					require.NoError(t, err)
					assert.NotEqual(t, empty, now)
					empty = now
				}
			})
		})
	}
}

// What a manager that was killed has left of a checkpoint is removed, and nothing else.
func TestCheckpointRemovesWhatWasLeft(t *testing.T) {
	dir, done := t.TempDir(), set{}
	left := []string{".c.1234", ".c.5"}
	others := []string{".c.", ".c.1a", ".cc.1", "c.1", ".d.1"}
	for _, name := range append(left, others...) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".c.7"), 0o700))
	k, err := openCheckpoint(Checkpoint{File: filepath.Join(dir, "c"), State: new(words)}, 10, &done)
	require.NoError(t, err)
	require.NoError(t, k.close(&done))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	assert.ElementsMatch(t, append(others, ".c.7", "c"), names)
}
