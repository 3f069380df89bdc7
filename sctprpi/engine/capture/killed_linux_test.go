package capture_test

import (
	"bufio"
	"encoding/binary"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/capturetest"
)

// childPath names the file of a test that runs itself again as another process,
// in that process.
const childPath = "CAPTURE_TEST_CHILD_PATH"

// child returns the test that calls it as another process, which gets path.
func child(t *testing.T, path string) *exec.Cmd {
	self, err := os.Executable()
	require.NoError(t, err)
	c := exec.CommandContext(t.Context(), self, "-test.run=^"+t.Name()+"$", "-test.v")
	c.Env = append(os.Environ(), childPath+"="+path)
	return c
}

// A process that is killed at any moment leaves a file that is good up to the
// last write.
func TestAKilledProcessLeavesAReadableFile(t *testing.T) {
	if path := os.Getenv(childPath); path != "" {
		w, err := capture.Create(path, capture.Config{})
		require.NoError(t, err)
		for asked := false; ; {
			fill(w, 1)
			info, err := os.Stat(path)
			require.NoError(t, err)
			if !asked && info.Size() > 3*chunkSize {
				_, _ = os.Stdout.WriteString("\nkill me\n")
				asked = true
			}
		}
	}
	path := filepath.Join(t.TempDir(), "run.pcapng")
	c := child(t, path)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "kill me"; {
	}
	require.NoError(t, c.Process.Kill())
	require.Error(t, c.Wait())
	dropCutBlock(t, path)
	assert.Greater(t, capturetest.Verify(t, path, port)*1500, 3*chunkSize)
}

// dropCutBlock removes what the kill may have left of a block at the file's end.
func dropCutBlock(t *testing.T, path string) {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	whole := 0
	for len(b)-whole >= 8 {
		size := int(binary.LittleEndian.Uint32(b[whole+4:]))
		if size > len(b)-whole {
			break
		}
		whole += size
	}
	require.NoError(t, os.Truncate(path, int64(whole)))
}

// A full disk, here a limit of the file's size, which the kernel treats alike:
// it takes what fits, then refuses. The file ends with the last whole packet.
func TestAFullDiskLeavesAWholeFile(t *testing.T) {
	const limit = 300_001
	if path := os.Getenv(childPath); path != "" {
		signal.Ignore(syscall.SIGXFSZ)
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}))
		w, err := capture.Create(path, capture.Config{})
		require.NoError(t, err)
		fill(w, 1000)
		assert.ErrorIs(t, w.Close(), syscall.EFBIG)
		return
	}
	path := filepath.Join(t.TempDir(), "run.pcapng")
	out, err := child(t, path).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS")
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Greater(t, info.Size(), int64(limit-2000))
	assert.Equal(t, int(info.Size())/1472, capturetest.Verify(t, path, port))
}

// What is not a file on disk is neither renamed nor bounded.
func TestADeviceIsLeftInItsPlace(t *testing.T) {
	w, err := capture.Create(os.DevNull, capture.Config{MaxBytes: minMaxBytes})
	require.NoError(t, err)
	fill(w, 2000)
	require.NoError(t, w.Close())
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	assert.Equal(t, os.ModeDevice, info.Mode().Type()&os.ModeDevice)
}

// Wireshark can read along through a named pipe.
func TestANamedPipeTakesTheCapture(t *testing.T) {
	dir := t.TempDir()
	pipe, path := filepath.Join(dir, "pipe"), filepath.Join(dir, "run.pcapng")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	read := make(chan error)
	go func() {
		b, err := os.ReadFile(pipe)
		if err == nil {
			err = os.WriteFile(path, b, 0o600)
		}
		read <- err
	}()
	w, err := capture.Create(pipe, capture.Config{MaxBytes: minMaxBytes})
	require.NoError(t, err)
	fill(w, 2000)
	require.NoError(t, w.Close())
	require.NoError(t, <-read)
	assert.Equal(t, 2000, capturetest.Verify(t, path, port))
}
