package job

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writeProfile writes the profile of a rank with one sample.
func writeProfile(t *testing.T, name string, value int64) {
	f := &profile.Function{ID: 1, Name: "main.compute"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 3}}}
	p := profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}},
		Sample:     []*profile.Sample{{Location: []*profile.Location{l}, Value: []int64{value}}},
		Function:   []*profile.Function{f}, Location: []*profile.Location{l},
	}
	file, err := os.Create(name)
	require.NoError(t, err)
	require.NoError(t, p.Write(file))
	require.NoError(t, file.Close())
}

// The samples of all ranks are one profile, and each has its rank. A rank that was killed has an empty file, or a cut one.
func TestProfilesOfRanksAreJoined(t *testing.T) {
	const size = 40
	s := &Spec{Profile: filepath.Join(t.TempDir(), "profiles"), Apps: []App{{N: size}}}
	require.NoError(t, s.checkProfile())
	for rank := range size {
		writeProfile(t, s.profileOf(rank), int64(rank+1))
	}
	require.NoError(t, os.Truncate(s.profileOf(7), 0))
	require.NoError(t, os.Truncate(s.profileOf(8), 20))
	require.NoError(t, os.Remove(s.profileOf(9)))
	missing, err := s.joinProfiles()
	require.NoError(t, err)
	assert.Equal(t, []int{7, 8, 9}, missing)
	file, err := os.Open(s.allProfiles())
	require.NoError(t, err)
	defer file.Close()
	all, err := profile.Parse(file)
	require.NoError(t, err)
	require.Len(t, all.Sample, size-3)
	ranks := make(map[string]int64)
	for _, sample := range all.Sample {
		require.Len(t, sample.Label["rank"], 1)
		ranks[sample.Label["rank"][0]] = sample.Value[0]
	}
	assert.Len(t, ranks, size-3)
	assert.EqualValues(t, 40, ranks["39"])
	require.NoError(t, s.checkProfile())
	assert.NoFileExists(t, s.allProfiles(), "that of an earlier job")
	assert.NoFileExists(t, s.profileOf(0))
}

func TestProfilesThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.ErrorContains(t, (&Spec{Profile: file}).checkProfile(), "--profile: ")
}
