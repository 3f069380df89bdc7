package sight

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Another user sees nothing of a job, even where the modes would let them connect: not even root does, as whom a stranger is told apart
// by the kernel.
func TestAnotherUserCannotLook(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root: to be another user")
	}
	folder := here(t)
	looks := 0
	s := listen(t, "farm", func() (Job, bool) { looks++; return Job{}, true })
	require.Len(t, found(folder), 1)

	stranger := func() string { // tries to connect to the socket, and to read an answer
		self, err := os.Executable()
		require.NoError(t, err)
		copied := filepath.Join(filepath.Dir(folder), "stranger")
		program, err := os.ReadFile(self)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(copied, program, 0o700))
		require.NoError(t, os.Chmod(copied, 0o755)) // whatever the umask
		c := exec.CommandContext(t.Context(), copied, "-test.run", "^TestStranger$", "-test.v")
		c.Dir = "/"
		c.Env = append(os.Environ(), "SIGHT_STRANGER="+s.file)
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12345}}
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	require.NoError(t, os.Chmod(filepath.Dir(folder), 0o755))
	assert.Contains(t, stranger(), "permission denied")

	require.NoError(t, os.Chmod(folder, 0o755))
	require.NoError(t, os.Chmod(s.file, 0o666))
	assert.Contains(t, stranger(), "answered: \"\"")
	assert.Zero(t, looks)

	// Nor is a viewer deceived by another user's socket: it finds the folder, or the process at the other end, to be another's.
	require.NoError(t, os.Chmod(folder, 0o700))
	require.NoError(t, os.Chown(folder, 12345, 12345))
	assert.Empty(t, found(folder))
	assert.ErrorContains(t, makeFolder(folder), "is another user's")
}

// TestStranger is the other user of TestAnotherUserCannotLook.
func TestStranger(t *testing.T) {
	file := os.Getenv("SIGHT_STRANGER")
	if file == "" {
		return
	}
	conn, err := net.DialTimeout("unix", file, time.Minute)
	if err != nil {
		t.Log(err)
		return
	}
	_, err = conn.Write([]byte(askLook + "\n"))
	text := make([]byte, 1000)
	n, _ := conn.Read(text)
	t.Logf("answered: %q (%v)", strings.TrimSpace(string(text[:n])), err)
}
