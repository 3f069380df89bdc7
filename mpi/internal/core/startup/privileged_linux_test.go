package startup

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A setuid program follows no variable that names a file: its user would have it write where the user may not.
func TestVariablesThatNameFilesInSetuidPrograms(t *testing.T) {
	if os.Getenv("SCTPMPI_TEST_SETUID") != "" {
		s, err := NewSettings("MPI_Init", os.Getenv, func(string) (string, rpi.Open, error) { return "", nil, nil })
		require.NoError(t, err)
		_, _ = io.WriteString(os.Stdout, "trace="+s.Trace+" profile="+s.Profile+"\n")
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root: to make a program that runs as another user")
	}
	folder, err := os.MkdirTemp("", "setuid")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	require.NoError(t, os.Chmod(folder, 0o755))
	self, err := os.Executable()
	require.NoError(t, err)
	image, err := os.ReadFile(self)
	require.NoError(t, err)
	for mode, want := range map[os.FileMode]string{0o755: "trace=/a/file profile=/a/folder\n", 0o755 | os.ModeSetuid: "trace= profile=\n"} {
		program := filepath.Join(folder, "program")
		require.NoError(t, os.WriteFile(program, image, 0o755))
		require.NoError(t, os.Chmod(program, mode))
		cmd := exec.Command(program, "-test.run=^TestVariablesThatNameFilesInSetuidPrograms$")
		cmd.Dir = folder
		cmd.Env = []string{"SCTPMPI_TEST_SETUID=1", rpi.EnvTrace + "=/a/file", rpi.EnvProfile + "=/a/folder", "GORACE=atexit_sleep_ms=0"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534, NoSetGroups: true}}
		out, err := cmd.CombinedOutput()
		if err != nil && mode&os.ModeSetuid == 0 {
			t.Skipf("another user cannot run a program in %s: %v: %s", folder, err, out)
		}
		require.NoError(t, err, "%s", out)
		if want == "trace= profile=\n" && string(out) != want+"PASS\n" {
			var fs syscall.Statfs_t
			require.NoError(t, syscall.Statfs(folder, &fs))
			if fs.Flags&syscall.MS_NOSUID != 0 {
				t.Skipf("%s is mounted without setuid", folder)
			}
		}
		assert.Equal(t, want+"PASS\n", string(out))
	}
}
