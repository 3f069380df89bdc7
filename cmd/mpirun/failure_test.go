//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJobThatDoesWellIsSilent(t *testing.T) {
	status, stdout, stderr := runMpirun(t, "-n", "4", "RANK", "exit", "0")
	assert.Zero(t, status)
	assert.Empty(t, stdout)
	assert.Empty(t, stderr)
}

func TestRanksMeetOverPMI(t *testing.T) {
	for _, n := range []string{"1", "4", "64"} {
		status, stdout, stderr := runMpirun(t, "-n", n, "RANK", "exchange")
		assert.Zero(t, status)
		assert.Empty(t, stderr)
		assert.Equal(t, n, strconv.Itoa(strings.Count(stdout, "<nil>\n")))
	}
}

// The first failure ends the job, is named, and is the exit status.
func TestFailureOfOneRankEndsTheJob(t *testing.T) {
	for _, test := range []struct {
		name    string
		rank    []string
		status  int
		message string
	}{
		{"exit status", []string{"exit", "only=2", "3"}, 3, "rank 2 (PID) exited with status 3; ending the job\n"},
		{"panic", []string{"panic", "only=1"}, 2, "rank 1 (PID) exited with status 2; ending the job\n"},
		{"signal", []string{"kill", "only=0"}, 137, "rank 0 (PID) was killed by signal 9 (killed); ending the job\n"},
		{"abort", []string{"abort", "only=3", "5", "too", "hot"}, 5, "rank 3 (PID) called Abort(5): too hot; ending the job\n"},
		{"abort without text", []string{"abort", "only=3", "6"}, 6, "rank 3 (PID) called Abort(6); ending the job\n"},
		{"abort is no success", []string{"abort", "only=3", "0"}, 1, "rank 3 (PID) called Abort(0); ending the job\n"},
		{"abort with what is no status", []string{"abort", "only=3", "512"}, 1, "rank 3 (PID) called Abort(512); ending the job\n"},
		{"no finalize", []string{"leave", "only=2"}, 1, "rank 2 (PID) exited without Finalize; ending the job\n"},
		{"breaks the protocol", []string{"babble", "only=2"}, 1,
			"rank 2 (PID) broke the PMI protocol: line does not begin with cmd=: \"hello\"; ending the job\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, _, stderr := runMpirun(t, append([]string{"-n", "4", "RANK"}, test.rank...)...)
			assert.Equal(t, test.status, status)
			assert.Equal(t, test.message, messages(stderr))
		})
	}
}

func TestFailureOfTheLastRankEndsNothing(t *testing.T) {
	status, _, stderr := runMpirun(t, "RANK", "exit", "3")
	assert.Equal(t, 3, status)
	assert.Equal(t, "rank 0 (PID) exited with status 3\n", messages(stderr))
}

// What a rank has said before its end stands before what mpirun says of it.
func TestLastWordsComeFirst(t *testing.T) {
	_, _, stderr := runMpirun(t, "-n", "4", "RANK", "panic", "only=1")
	panicked, reported := strings.Index(stderr, "panic: out of luck"), strings.Index(stderr, "mpirun: rank 1")
	assert.GreaterOrEqual(t, panicked, 0)
	assert.Greater(t, reported, panicked)
	assert.Less(t, strings.Index(stderr, "goroutine 1 [running]"), reported)
}

func TestRankThatNeverComesFailsTheFenceOfTheOthers(t *testing.T) {
	status, _, stderr := runMpirun(t, "-n", "2", "RANK", "fence", ":", "-n", "1", "RANK", "exit", "0")
	assert.Equal(t, 5, status)
	assert.Contains(t, stderr, "pmi: fence: launcher refused with rc=-1: rank 2 has left the job")
	assert.Contains(t, messages(stderr), "exited with status 5")
}

func TestRankThatDoesNotHearIsKilled(t *testing.T) {
	m := command(t, "-n", "2", "RANK", "signals", "15", ":", "RANK", "exit", "3")
	m.Env = append(m.Env, "SCTPMPI_KILL_GRACE=10ms")
	require.NoError(t, m.Start())
	assert.Equal(t, 3, m.status(t))
}

func TestTimeoutEndsTheJob(t *testing.T) {
	status, _, stderr := runMpirun(t, "-n", "2", "--timeout", "50ms", "RANK", "hang")
	assert.Equal(t, 124, status)
	assert.Equal(t, "the job has taken longer than 50ms; ending the job\n", messages(stderr))
}

func TestProgramThatCannotBeRun(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		return path
	}
	plain := write("plain", "x", 0o644)
	garbage := write("garbage", "\x01\x02", 0o755)
	script := write("script", "#!/no/such/interpreter\n", 0o755)
	windows := write("windows", "#!/bin/sh\r\necho hello\r\n", 0o755)
	empty := write("empty", "", 0o755)
	elsewhere, err := os.ReadFile(self(t))
	require.NoError(t, err)
	elsewhere[18], elsewhere[19] = 0xf3, 0 // RISC-V
	other := write("other", string(elsewhere), 0o755)
	const noProgram = " is no program of this system, and no script: a script begins with a line such as #!/bin/sh\n"
	for _, test := range []struct {
		program string
		status  int
		message string
	}{
		{"no-such-program", 127, "no-such-program: not found in PATH\n"},
		{dir + "/missing", 127, dir + "/missing: no such file\n"},
		{dir, 126, dir + ": is a directory\n"},
		{plain, 126, plain + ": not executable; is chmod +x missing?\n"},
		{garbage, 126, "cannot start rank 0: " + garbage + noProgram},
		{empty, 126, "cannot start rank 0: " + empty + " is empty\n"},
		{script, 127, "cannot start rank 0: " + script + " needs /no/such/interpreter to be started, which is not there\n"},
		{windows, 127, "cannot start rank 0: " + windows + ` has lines that end as those of Windows do: "/bin/sh\r" is the interpreter in its first line; dos2unix mends it` + "\n"},
		{other, 126, "cannot start rank 0: " + other + " is a program for another processor, riscv; this host has "},
	} {
		status, stdout, stderr := runMpirun(t, "-n", "2", test.program)
		assert.Equal(t, test.status, status, test.program)
		assert.Empty(t, stdout)
		assert.True(t, strings.HasPrefix(stderr, "mpirun: "+test.message), stderr)
		assert.Equal(t, 1, strings.Count(stderr, "\n"))
	}
}

func TestProgramOfThisDirectoryIsHintedAt(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "taskfarm"), []byte("#!/bin/sh\n"), 0o755))
	m := command(t, "taskfarm")
	m.Dir = dir
	require.NoError(t, m.Start())
	assert.Equal(t, 127, m.status(t))
	assert.Equal(t, "mpirun: taskfarm: not found in PATH; there is ./taskfarm in this directory\n", m.stderr.String())
}

// When a later context cannot be started, the ranks that run already are ended.
func TestStartThatFailsHalfwayEndsTheJob(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "garbage")
	require.NoError(t, os.WriteFile(garbage, []byte("\x01"), 0o755))
	status, _, stderr := runMpirun(t, "-n", "3", "RANK", "hang", ":", garbage)
	assert.Equal(t, 126, status)
	assert.Equal(t, "mpirun: cannot start rank 3: "+garbage+" is no program of this system, and no script: a script begins with a line such as #!/bin/sh; ending the job\n", stderr)
}
