package main_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Where handlers find no room, a process dies, or goes on with wrong numbers. Where Go's threads take signals, they do not reach the program.
func TestSignals(t *testing.T) {
	for _, face := range twoFaces {
		handlers := compile(t, face.abi, "signals.c", "-g", "-pthread")
		masks := compile(t, face.abi, "waits.c", "-g", "-pthread")
		for way, env := range ways {
			if face.abi != "std" && way == "sctp-engine" {
				continue // the ABI does not see how ranks are connected
			}
			for _, command := range [][]string{
				{handlers, "each"}, {handlers, "defaults"}, {handlers, "alarm"}, {handlers, "prof"}, {handlers, "alarm", "threads"},
				{handlers, "prof", "threads"}, {masks, "masks"}, {masks, "stacks"}, {masks, "sigwait"}, {masks, "signalfd"},
			} {
				expectNoErrors(t, env, command, "%s, %s: %s", face.abi, way, command[1:])
			}
		}
	}
}

// Handlers of a program that loads MPI late are there before, or are installed by a C library that comes first.
func TestSignalsOfALibraryThatIsLoadedLate(t *testing.T) {
	plugin := filepath.Join(t.TempDir(), "plugin")
	output(t, exec.Command("cc", "-o", plugin, "testdata/plugin.c", "-ldl"))
	for _, face := range twoFaces {
		handlers := compile(t, face.abi, "signals.c", "-shared", "-fPIC", "-pthread")
		for _, how := range []string{"each", "defaults", "alarm", "prof"} {
			expectNoErrors(t, nil, []string{plugin, handlers, how}, "%s: %s", face.abi, how)
		}
	}
}

// What gcc -pg adds to a program handles SIGPROF, by a call within the C library.
func TestProfiles(t *testing.T) {
	for _, face := range twoFaces {
		program := compile(t, face.abi, "collectives.c", "-pg")
		folder := t.TempDir()
		cmd := mpirun(t, "-n", "4", program)
		cmd.Dir = folder
		assert.Equal(t, "no errors\n", output(t, cmd), face.abi)
		assert.FileExists(t, filepath.Join(folder, "gmon.out"), face.abi)
	}
}

// A write to a peer that is gone is an error of the library, and no signal for the program.
func TestAPeerThatIsGoneRaisesNoSignal(t *testing.T) {
	for _, face := range twoFaces {
		program := compile(t, face.abi, "pipes.c")
		for _, transport := range []string{"tcp-perpair", "tcp-pertrc", "sctp-engine"} {
			for _, encrypt := range []string{"on", "off"} {
				cmd := mpirun(t, "--keep-going", "-n", "3", program)
				// Without strict progress the library first hears of the end when it writes.
				cmd.Env = append(os.Environ(), "SCTPMPI_SHM=off", "SCTPMPI_PROGRESS=inline", "SCTPMPI_TRANSPORT="+transport, "SCTPMPI_ENCRYPT="+encrypt)
				out, err := cmd.CombinedOutput()
				assert.NoError(t, err, "%s, %s, %s: %s", face.abi, transport, encrypt, out)
				assert.Contains(t, string(out), "no errors\n", "%s, %s, %s", face.abi, transport, encrypt)
			}
		}
	}
}

// The library says what a rank waits for, and the signal then ends the process as it does others.
func TestQuitOfAProgramThatWaits(t *testing.T) {
	for _, face := range twoFaces {
		cmd := exec.CommandContext(t.Context(), compile(t, face.abi, "signals.c", "-pthread"), "quit")
		cmd.Dir = t.TempDir() // for a core dump
		stderr, err := cmd.StderrPipe()
		require.NoError(t, err)
		stdout, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		ready, err := bufio.NewReader(stdout).ReadString('\n')
		require.NoError(t, err)
		assert.Equal(t, "waits\n", ready)
		require.NoError(t, cmd.Process.Signal(syscall.SIGQUIT))
		said, err := io.ReadAll(stderr)
		require.NoError(t, err)
		_ = cmd.Wait()
		assert.Equal(t, syscall.SIGQUIT, cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())
		assert.Contains(t, string(said), "waits", face.abi)
	}
}

func expectNoErrors(t *testing.T, env, command []string, what string, args ...any) {
	t.Helper()
	cmd := mpirun(t, append([]string{"-n", "2"}, command...)...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, append([]any{what}, args...)...)
	assert.Equal(t, "no errors\n", string(out), append([]any{what}, args...)...)
}
