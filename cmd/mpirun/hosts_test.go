//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
)

// fakeShell is a remote shell that runs all on this host. FAKE_HOST is the host that it stands for. It keeps what it was told
// and its environment in files beside it, by the host's name.
const fakeShell = `#!/bin/sh
echo "$@" >"$0.$1.told"
env >>"$0.$1.told"
FAKE_HOST=$1 MPIRUN_TEST=mpirun
export FAKE_HOST MPIRUN_TEST
case $1 in
noisy) echo "Welcome to $1"; echo "and more" >&2 ;;
gone) echo "ssh: Could not resolve hostname gone" >&2; exit 255 ;;
old) echo "sctpmpi proxy 0"; exec sleep 3600 ;;
babbler) exec yes "Welcome, for ever" ;;
other) echo "other: no such option: --proxy" >&2; exit 1 ;;
esac
echo $$ >"$0.$1.pid.new"
mv "$0.$1.pid.new" "$0.$1.pid"
case $1 in
silent*) exec sleep 3600 ;;
quitter) echo "sctpmpi proxy 7"; exit 3 ;;
talker) echo "sctpmpi proxy 7"; echo "Now follows a poem."; exec sleep 3600 ;;
giant) printf 'sctpmpi proxy 7\n\377\377\377\377\010\000\000\000\000\000\000\000\000\000\000\000'; exec sleep 3600 ;;
clam) echo "sctpmpi proxy 7"; exec sleep 3600 >&- ;;
halfway) printf 'sctpmpi proxy 7\nhalf'; exit 3 ;;
cut) sh -c "$2" | { dd bs=1 count=45 2>/dev/null; kill -KILL $$; }; exit ;;
poet) sh -c "$2" | { dd bs=1 count=36 2>/dev/null; echo "Now follows a poem."; exec sleep 3600; }; exit ;;
esac
exec sh -c "$2"
`

// agent writes a remote shell and returns its file.
func agent(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "agent")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o755))
	return file
}

// word is a path as a word of a command, though there be blanks in it.
func word(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

// onHosts prepares a run on hosts that the remote shell only pretends to reach.
func onHosts(t *testing.T, hosts string, args ...string) (m *mpirun, shell string) {
	t.Helper()
	shell = agent(t, fakeShell)
	return command(t, append([]string{"--launch-agent", word(shell), "--host", hosts}, args...)...), shell
}

func runOnHosts(t *testing.T, hosts string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	m, _ := onHosts(t, hosts, args...)
	require.NoError(t, m.Start())
	status = m.status(t)
	return status, m.stdout.String(), m.stderr.String()
}

func TestRanksOfSeveralHostsMeet(t *testing.T) {
	for _, hosts := range []string{"a:2,b:2", "a,localhost:2,b"} {
		status, stdout, stderr := runOnHosts(t, hosts, "-n", "4", "RANK", "exchange")
		require.Zero(t, status, stderr)
		assert.Empty(t, stderr)
		assert.Equal(t, []string{"0 4 value-1 <nil>\n", "1 4 value-2 <nil>\n", "2 4 value-3 <nil>\n", "3 4 value-0 <nil>\n"},
			slices.Sorted(strings.Lines(stdout)))
	}
}

func TestMessagesBetweenHosts(t *testing.T) {
	status, _, stderr := runOnHosts(t, "a:2,localhost:1", "-n", "3", "-x", "SCTPMPI_INTERFACE=127.0.0.1", "RANK", "barrier")
	assert.Zero(t, status, stderr)
	assert.Empty(t, stderr)
}

func TestPlacesAndLabels(t *testing.T) {
	show := `echo $SCTPMPI_LOCAL_RANK/$SCTPMPI_LOCAL_SIZE on ${FAKE_HOST:-here}`
	for _, test := range []struct {
		args []string
		want []string
	}{
		{[]string{"-n", "3"}, []string{"[0@a] 0/2 on a\n", "[1@a] 1/2 on a\n", "[2@localhost] 0/1 on here\n"}},
		{[]string{"-n", "3", "--map-by", "node"}, []string{"[0@a] 0/2 on a\n", "[1@localhost] 0/1 on here\n", "[2@a] 1/2 on a\n"}},
		{[]string{"-n", "2"}, []string{"[0@a] 0/2 on a\n", "[1@a] 1/2 on a\n"}},
		{[]string{"-n", "4", "--oversubscribe"},
			[]string{"[0@a] 0/3 on a\n", "[1@a] 1/3 on a\n", "[2@localhost] 0/1 on here\n", "[3@a] 2/3 on a\n"}},
	} {
		status, stdout, stderr := runOnHosts(t, "a:2,localhost", append(append([]string{"--label"}, test.args...), "sh", "-c", show)...)
		require.Zero(t, status, stderr)
		assert.Equal(t, test.want, slices.Sorted(strings.Lines(stdout)))
	}
}

// The environment of a rank is that of its host, with what the library, Go's runtime and -x set. The token is neither in the
// arguments of the remote shell nor in its environment.
func TestEnvironmentOfOtherHosts(t *testing.T) {
	m, shell := onHosts(t, "a,b", "-n", "2", "-x", "NEW=x y", "--transport", "pigeon", "RANK", "token")
	m.Env = append(m.Env, "SCTPMPI_SHM=off", "GOGC=50", "SCTPMPI_JOB_TOKEN=of-another-job")
	ranks := environments(t, m)
	token := ranks[0]["token of the job"]
	assert.Len(t, token, 64)
	for rank, host := range []string{"a", "b"} {
		for name, value := range map[string]string{
			"FAKE_HOST": host, "NEW": "x y", "SCTPMPI_SHM": "off", "GOGC": "50", "SCTPMPI_TRANSPORT": "pigeon",
			"token of the job": token, "SCTPMPI_LOCAL_RANK": "0", "SCTPMPI_LOCAL_SIZE": "1", "PMI_SIZE": "2",
		} {
			assert.Equal(t, value, ranks[rank][name], name)
		}
		told, err := os.ReadFile(shell + "." + host + ".told")
		require.NoError(t, err)
		assert.NotContains(t, string(told), token)
		assert.Contains(t, string(told), "--proxy")
	}
}

func TestStandardInputOfRankZeroOnAnotherHost(t *testing.T) {
	m, _ := onHosts(t, "a,b", "-n", "2", "RANK", "cat")
	text := strings.Repeat("x", 200_000)
	m.Stdin = strings.NewReader(text)
	require.NoError(t, m.Start())
	require.Zero(t, m.status(t))
	// Rank 0's line is so long that the other's may come between its pieces.
	before, after, found := strings.Cut(m.stdout.String(), "1 read \"\"\n")
	assert.True(t, found, "rank 1 read nothing")
	assert.True(t, before+after == "0 read \""+text+"\"\n", "rank 0 read it all")
}

func TestOutputOfOtherHostsIsWhole(t *testing.T) {
	status, stdout, stderr := runOnHosts(t, "a:2,b:2", "-n", "4", "RANK", "lines", "600")
	require.Zero(t, status)
	next := make([]int, 4)
	for _, text := range []string{stdout, stderr} {
		for line := range strings.Lines(text) {
			var rank, i int
			_, err := fmt.Sscanf(line, "%d:%d:", &rank, &i)
			require.NoError(t, err, line)
			require.Equal(t, fmt.Sprintf("%d:%d:%s:end\n", rank, i, strings.Repeat("x", i%700)), line)
			next[rank]++
		}
	}
	assert.Equal(t, []int{600, 600, 600, 600}, next)
}

func TestFailureOnAnotherHost(t *testing.T) {
	for _, test := range []struct {
		rank    []string
		status  int
		message string
	}{
		{[]string{"exit", "only=2", "3"}, 3, "rank 2 (host b, PID) exited with status 3; ending the job\n"},
		{[]string{"kill", "only=0"}, 137, "rank 0 (host a, PID) was killed by signal 9 (killed); ending the job\n"},
		{[]string{"abort", "only=1", "5", "too", "hot"}, 5, "rank 1 (host a, PID) called Abort(5): too hot; ending the job\n"},
		{[]string{"leave", "only=2"}, 1, "rank 2 (host b, PID) exited without Finalize; ending the job\n"},
	} {
		status, _, stderr := runOnHosts(t, "a:2,b:1", append([]string{"-n", "3", "RANK"}, test.rank...)...)
		assert.Equal(t, test.status, status)
		assert.Equal(t, test.message, hostMessages(stderr))
	}
}

var hostPid = regexp.MustCompile(`pid \d+, [^)]*\)`)

// hostMessages is messages for ranks of other hosts.
func hostMessages(stderr string) string { return messages(hostPid.ReplaceAllString(stderr, "PID)")) }

func TestHostsThatCannotRunTheJob(t *testing.T) {
	for _, test := range []struct {
		hosts   string
		args    []string
		status  int
		message string
	}{
		{"a,gone", []string{"true"}, 1, "cannot start mpirun on host gone: ssh: Could not resolve hostname gone\n"},
		{"a,other", []string{"true"}, 1, "cannot start mpirun on host other: other: no such option: --proxy\n"},
		{"a,old", []string{"true"}, 1, "cannot start mpirun on host old: mpirun there is of another version (its protocol is 0, " +
			"this one's is " + strconv.Itoa(frame.Version) +
			"); install the same on all hosts\n"},
		{"a,b", []string{"no-such-program"}, 127, "hosts a, b: no-such-program: not found in PATH\n"},
		{"a,b", []string{"/no/such/program"}, 127, "hosts a, b: /no/such/program: no such file\n"},
		{"a,b", []string{"--wdir", "/no/such", "true"}, 1, "hosts a, b: --wdir: stat /no/such: no such file or directory\n"},
		{"a,b", []string{"--prefix", "/no/such", "true"}, 1, "cannot start mpirun on hosts a, b: there is no mpirun /no/such/bin/mpirun\n"},
		{"a:1", []string{"true"}, 2, "the hosts have 1 slots, and the job has 2 ranks; add slots, as in a:2, or say --oversubscribe\n" +
			"see mpirun --help\n"},
		{"a:x", []string{"true"}, 2, "--host: a:x: slots must be a number from 1 to 1048576\nsee mpirun --help\n"},
	} {
		status, stdout, stderr := runOnHosts(t, test.hosts, append([]string{"-n", "2"}, test.args...)...)
		assert.Equal(t, test.status, status, test.message)
		assert.Empty(t, stdout)
		assert.Equal(t, test.message, messages(stderr))
	}
}

func TestShellThatSaysNothingOfMpirunForEver(t *testing.T) {
	status, _, stderr := runOnHosts(t, "a,babbler", "-n", "2", "true")
	assert.Equal(t, 1, status)
	assert.Equal(t, "cannot start mpirun on host babbler: it writes more than 65536 bytes before mpirun starts there; "+
		"its login scripts should write nothing\n", messages(stderr))
}

func TestWhatLoginScriptsWriteIsPassedOn(t *testing.T) {
	status, stdout, stderr := runOnHosts(t, "noisy", "sh", "-c", "echo done")
	assert.Zero(t, status)
	assert.Equal(t, "done\n", stdout)
	assert.Equal(t, []string{"noisy: Welcome to noisy\n", "noisy: and more\n"}, slices.Sorted(strings.Lines(stderr)))
}

func TestHostFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hosts")
	require.NoError(t, os.WriteFile(file, []byte("a slots=2 # comment\nb:1\n"), 0o644))
	status, stdout, stderr := runMpirun(t, "--launch-agent", word(agent(t, fakeShell)), "--hostfile", file, "-n", "3", "sh", "-c", "echo $PMI_RANK $FAKE_HOST")
	require.Zero(t, status, stderr)
	assert.Equal(t, []string{"0 a\n", "1 a\n", "2 b\n"}, slices.Sorted(strings.Lines(stdout)))
}

func TestDryRunPrintsWhatWouldRunWhere(t *testing.T) {
	status, stdout, stderr := runMpirun(t, "--dry-run", "--host", "a:2,localhost,b:2", "--launch-agent", "rsh -n", "--prefix", "/opt/mpi",
		"-n", "3", "/bin/echo", "x", ":", "-n", "1", "--wdir", "/data", "no-such-program")
	require.Zero(t, status, stderr)
	shell := func(host string) string {
		return `rsh -n ` + host + ` exec /bin/sh -c 'm='\''/opt/mpi/bin/mpirun'\''; [ -x "$m" ] || ` +
			`{ echo "there is no mpirun $m" >&2; exit 127; }; exec "$m" --proxy'`
	}
	assert.Equal(t, "host a: "+shell("a")+"\n  rank 0: /bin/echo x\n  rank 1: /bin/echo x\n"+
		"host localhost: this one\n  rank 2: /bin/echo x\n"+
		"host b: "+shell("b")+"\n  rank 3: no-such-program  in /data\n", stdout)
	_, stdout, _ = runMpirun(t, "--dry-run", "-n", "2", "/bin/echo")
	assert.Equal(t, "this host\n  rank 0: /bin/echo\n  rank 1: /bin/echo\n", stdout)
}

func TestSignalsReachOtherHosts(t *testing.T) {
	m, _ := onHosts(t, "a:2,b", "-n", "3", "RANK", "signals", "10", "2", "until", "2")
	in := m.startReady(t, 3)
	m.send(t, syscall.SIGUSR1)
	requireLines(t, in, 3, "got user defined signal 1\n")
	m.send(t, syscall.SIGINT)
	require.Equal(t, slices.Repeat([]string{"got interrupt\n"}, 3), sorted(t, in))
	assert.Zero(t, m.status(t))
	assert.Equal(t, "received signal 2 (interrupt); ending the job\n", messages(m.stderr.String()))
}

func TestTimeoutEndsTheRanksOfOtherHosts(t *testing.T) {
	status, _, stderr := runOnHosts(t, "a,b", "-n", "2", "--timeout", "100ms", "RANK", "hang")
	assert.Equal(t, 124, status)
	assert.Equal(t, "the job has taken longer than 100ms; ending the job\n", messages(stderr))
}

// held is a named pipe that ranks hold open as long as they run. The function returned waits until none does any more.
func held(t *testing.T) (fifo string, allGone func()) {
	t.Helper()
	fifo = filepath.Join(t.TempDir(), "held")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	r, err := os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return fifo, func() {
		_, err := io.Copy(io.Discard, r)
		require.NoError(t, err)
	}
}

const holds = `exec 9>"$0"; echo ready; sleep 3600; true`

func TestNoRankOfAnotherHostSurvivesMpirun(t *testing.T) {
	fifo, allGone := held(t)
	m, _ := onHosts(t, "a:2,b", "-n", "3", "sh", "-c", holds, fifo)
	m.startReady(t, 3)
	require.NoError(t, m.Process.Kill())
	assert.Equal(t, -1, m.status(t))
	allGone()
}

func TestLostHostEndsTheJob(t *testing.T) {
	fifo, allGone := held(t)
	m, shell := onHosts(t, "a:2,b", "-n", "3", "sh", "-c", holds, fifo)
	m.startReady(t, 3)
	text, err := os.ReadFile(shell + ".b.pid")
	require.NoError(t, err)
	var pid int
	_, err = fmt.Sscan(string(text), &pid)
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	assert.Equal(t, 1, m.status(t))
	assert.Equal(t, "lost host b: the remote shell has ended: signal: killed; ending the job\n", messages(m.stderr.String()))
	allGone()
}

func TestDaemonsOfOtherHostsEndWithTheJob(t *testing.T) {
	fifo, allGone := held(t)
	status, stdout, stderr := runOnHosts(t, "a,b", "-n", "2", "sh", "-c", `exec 9>"$0"; setsid sh -c 'echo ready; sleep 3600' & true`, fifo)
	assert.Zero(t, status, stderr)
	assert.LessOrEqual(t, strings.Count(stdout, "ready\n"), 2)
	allGone()
}
