package trial

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMpirunIsToldOfTheHosts(t *testing.T) {
	for _, test := range []struct{ command, want []string }{
		{[]string{"mpirun", "-n", "4", "prog"}, []string{"mpirun", "--launch-agent", "/a", "--hostfile", "/h", "-n", "4", "prog"}},
		{[]string{"bin/mpiexec", "prog"}, []string{"bin/mpiexec", "--launch-agent", "/a", "--hostfile", "/h", "prog"}},
		{[]string{"mpirun", "--host=host1", "prog"}, []string{"mpirun", "--launch-agent", "/a", "--host=host1", "prog"}},
		{[]string{"mpirun", "-H", "host0:2,host1:1", "prog"}, []string{"mpirun", "--launch-agent", "/a", "-H", "host0:2,host1:1", "prog"}},
		{[]string{"sh", "-c", "mpirun prog"}, []string{"sh", "-c", "mpirun prog"}},
	} {
		assert.Equal(t, test.want, arguments(test.command, "/h", "/a"))
	}
	assert.Equal(t, "host0\nhost1\nhost2\n", hostfile(3))
}

func TestAgentRunsACommandOnTheHostThatIsNamed(t *testing.T) {
	script := filepath.Join(t.TempDir(), "agent")
	require.NoError(t, os.WriteFile(script, []byte(agent([][]string{{"env", "HOST=0"}, {"env", "HOST=1"}})), 0o755))
	out, err := exec.Command(script, "host1", `echo "on $HOST, 'quoted'"; exit 3`).CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, 3, exit.ExitCode())
	assert.Equal(t, "on 1, 'quoted'\n", string(out))
	out, err = exec.Command(script, "host2", "true").CombinedOutput()
	assert.Error(t, err)
	assert.Equal(t, "netlab: there is no host host2: there are host0 to host1\n", string(out))
}
