package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// suiteFolder makes a folder as configure leaves it, of testlists by directory.
func suiteFolder(t *testing.T, testlists map[string]string) string {
	root := t.TempDir()
	for dir, text := range testlists {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, dir, "testlist"), []byte(text), 0o644))
	}
	return root
}

func TestTestlistSaysHowProgramsRun(t *testing.T) {
	root := suiteFolder(t, map[string]string{
		"threads": "pt2pt\n",
		"threads/pt2pt": `
# comment
alltoall 4 timeLimit=600
sendself 1 unknown arg=-type=MPI_INT arg=-n env=A=b mem=1.5
plain
exit 2 resultTest=TestStatus   # more
ext 2 strict=false
`,
	})
	tests, err := lists{t.TempDir(), root}.choose([]string{"threads/pt2pt"})
	require.NoError(t, err)
	dir := "threads/pt2pt"
	assert.Equal(t, []test{
		{dir: dir, program: "alltoall", ranks: 4, limit: 10 * time.Minute},
		{dir: dir, program: "sendself", ranks: 1, args: []string{"-type=MPI_INT", "-n"}, env: []string{"A=b"}, memory: 1.5, limit: defaultLimit},
		{dir: dir, program: "plain", ranks: defaultRanks, limit: defaultLimit},
		{dir: dir, program: "exit", ranks: 2, judge: "TestStatus", limit: defaultLimit},
		{dir: dir, program: "ext", ranks: 2, extension: true, limit: defaultLimit},
	}, tests)
	assert.Equal(t, "threads/pt2pt/sendself 1 -type=MPI_INT -n A=b", tests[1].name())

	below, err := lists{root}.choose([]string{"threads"})
	require.NoError(t, err)
	assert.Equal(t, tests, below, "a directory's testlist names the directories below")
}

// The programs of directory ft use failure mitigation, which this library has, and go on when ranks have died.
func TestProgramsThatSurviveApply(t *testing.T) {
	root := suiteFolder(t, map[string]string{"ft": "die 4 mpiexecarg=-disable-auto-cleanup strict=false resultTest=TestStatusNoErrors\n"})
	tests, err := lists{root}.choose([]string{"ft"})
	require.NoError(t, err)
	assert.Equal(t, []test{{dir: "ft", program: "die", ranks: 4, judge: "TestStatusNoErrors", survives: true, limit: defaultLimit}}, tests)

	died := "mpirun: rank 1 (pid 7, die) exited without Finalize; the job goes on\n"
	assert.Empty(t, tests[0].verdict(outcome{output: died + "No Errors\n"}))
	assert.Empty(t, tests[0].verdict(outcome{output: died + "No Errors\n", status: 1}), "some programs of the suite end so on purpose")
	assert.Equal(t, "does not print No Errors, status 0", tests[0].verdict(outcome{output: died}))
}

func TestLinesThatDifferInMPICHsSettingsAreOneTest(t *testing.T) {
	root := suiteFolder(t, map[string]string{"coll": "red 4\nred 4 env=MPIR_CVAR_X=1\nred 5 env=MPIR_CVAR_X=1\nred 4 env=MPIR_CVAR_Y=2\n"})
	tests, err := lists{root}.choose([]string{"coll"})
	require.NoError(t, err)
	require.Len(t, tests, 2)
	assert.Equal(t, "coll/red 4", tests[0].name())
	assert.Equal(t, "coll/red 5", tests[1].name())
}

func TestProgramsAreChosenByPattern(t *testing.T) {
	root := suiteFolder(t, map[string]string{"coll": "red 4\nbcast 4\nbcast2 4\n"})
	tests, err := lists{root}.choose([]string{"coll/bcast*"})
	require.NoError(t, err)
	require.Len(t, tests, 2)
	assert.Equal(t, "coll/bcast2 4", tests[1].name())

	_, err = lists{root}.choose([]string{"coll/no"})
	assert.ErrorContains(t, err, "directory coll of the suite has no program no")
	_, err = lists{root}.choose([]string{"nowhere"})
	assert.ErrorContains(t, err, "no directory")
}
