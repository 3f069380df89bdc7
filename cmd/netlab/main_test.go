package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
)

func netlab(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), args, nil, &out, &errs)
	return status, out.String(), errs.String()
}

func TestExitStatusIsThatOfTheProgram(t *testing.T) {
	labtest.Need(t)
	status, out, errs := netlab(t, "exec", "--", "false")
	assert.Equal(t, 1, status)
	assert.Empty(t, out+errs)
	status, out, _ = netlab(t, "exec", "--", "sh", "-c", "echo text; kill -KILL $$")
	assert.Equal(t, 128+9, status)
	assert.Equal(t, "text\n", out)
}

// Each rank has a network namespace of its own, in which packets take their time, and the command's exit status is netlab's.
func TestCommandRunsOnEmulatedHosts(t *testing.T) {
	labtest.Need(t)
	bin := t.TempDir()
	out, err := exec.Command("go", "build", "-o", bin, ".", "../mpirun").CombinedOutput()
	require.NoError(t, err, string(out))
	where := `test "$SCTPMPI_SHM" = off && readlink /proc/self/ns/net`
	command := fmt.Sprintf(`%s/mpirun --hostfile "$NETLAB_HOSTFILE" --launch-agent "$NETLAB_AGENT" -n 3 sh -c '%s' &&
		"$NETLAB_AGENT" host1 "%s/mpirun --version" && exit 3`, bin, where, bin)
	c := exec.Command(filepath.Join(bin, "netlab"), "exec", "--hosts", "3", "--conditions", "delay 1ms loss 1%", "--", "sh", "-c", command)
	text, err := c.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, string(text))
	assert.Equal(t, 3, exit.ExitCode(), string(text))
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, lines, 4, string(text))
	slices.Sort(lines[:3])
	assert.Len(t, slices.Compact(lines[:3]), 3, "three namespaces: %s", text)

	text, err = exec.Command(filepath.Join(bin, "netlab"), "exec", "--hosts", "2", "--", filepath.Join(bin, "mpirun"), "-n", "4", "sh", "-c", where).Output()
	require.NoError(t, err)
	lines = strings.Fields(string(text))
	slices.Sort(lines)
	assert.Len(t, lines, 4)
	assert.Len(t, slices.Compact(lines), 2, "mpirun is told of both hosts")
}

func TestTimeoutKillsTheLab(t *testing.T) {
	labtest.Need(t)
	status, _, errs := netlab(t, "exec", "--timeout", "100ms", "sleep", "1000")
	assert.Equal(t, statusTimeout, status)
	assert.Contains(t, errs, "the time is up")
}

func TestSignalKillsTheLab(t *testing.T) {
	labtest.Need(t)
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), programVariable+"=1")
	stdout, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	_, err = stdout.Read(make([]byte, 3))
	require.NoError(t, err)
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	var exit *exec.ExitError
	require.ErrorAs(t, c.Wait(), &exit)
	assert.Equal(t, statusSignal+int(syscall.SIGTERM), exit.ExitCode())
}

func TestProgramThatCannotBeRunHasTheStatusOfAShell(t *testing.T) {
	labtest.Need(t)
	status, _, _ := netlab(t, "exec", "no-such-program")
	assert.Equal(t, statusNotFound, status)
	status, _, _ = netlab(t, "exec", "/etc/passwd")
	assert.Equal(t, statusNotRunnable, status)
}

func TestMissingLabIsSaidWithWhatToInstall(t *testing.T) {
	path, err := exec.LookPath("true")
	require.NoError(t, err)
	t.Setenv("PATH", t.TempDir())
	status, _, errs := netlab(t, "exec", path)
	assert.Equal(t, statusLab, status)
	assert.Contains(t, errs, "apt-get install user-mode-linux")
	status, _, _ = netlab(t, "probe")
	assert.Equal(t, statusLab, status)
}

func TestWrongCommandLines(t *testing.T) {
	for want, args := range map[string][]string{
		"a command is missing":     nil,
		`"boot" is no command`:     {"boot"},
		"exec needs a program":     {"exec", "--"},
		`shell takes no arguments`: {"shell", "ls"},
		"unknown flag: --bogus":    {"exec", "--bogus", "ls"},
		"--timeout 0s":             {"exec", "--timeout", "0", "ls"},
		"--memory -1":              {"exec", "--memory", "-1", "ls"},
		"--hosts 1: it must be":    {"exec", "--hosts", "1", "ls"},
		"--hosts 0: it must be":    {"exec", "--hosts", "0", "ls"},
		"--hosts 65: it must be":   {"exec", "--hosts", "65", "ls"},
		"--conditions needs":       {"exec", "--conditions", "delay 10ms", "ls"},
		"are for exec":             {"shell", "--hosts", "2"},
		"such as 0.5%":             {"exec", "--hosts", "2", "--conditions", "loss 1", "ls"},
		"reorder needs a delay":    {"exec", "--hosts", "2", "--conditions", "reorder 1%", "ls"},
	} {
		status, _, errs := netlab(t, args...)
		assert.Equal(t, cli.Usage, status, args)
		assert.Contains(t, errs, want)
	}
	status, out, _ := netlab(t, "help")
	assert.Zero(t, status)
	assert.Contains(t, out, "netlab exec [flags]")
	assert.Contains(t, out, "netlab run [flags]")
}

// programVariable makes the test binary netlab with a command that runs until it is killed.
const programVariable = "SCTPMPI_NETLAB_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(programVariable) != "" {
		os.Args = []string{"netlab", "exec", "sh", "-c", "echo up; sleep 1000"}
		main()
	}
	os.Exit(m.Run())
}
