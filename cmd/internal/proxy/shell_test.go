package proxy

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The command passes two shells on its way, the user's and sh.
func TestCommandOfTheRemoteShell(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	run := func(shell Shell, path string) string {
		words := shell.Command("host")
		assert.Equal(t, []string{"ssh", "host"}, words[:2])
		command := exec.Command("/bin/sh", "-c", words[2])
		command.Env = []string{"PATH=" + path}
		text, _ := command.CombinedOutput()
		return strings.TrimSpace(string(text))
	}
	dir := filepath.Join(t.TempDir(), "it's $HOME; \"here\"")
	require.NoError(t, os.Mkdir(dir, 0o755))
	file := filepath.Join(dir, "mpirun")
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n[ $1 = --help ] && echo SCTPMPI_TRANSPORT || echo $1 of \"$0\"\n"), 0o755))
	ssh := []string{"ssh"}
	assert.Equal(t, "--proxy of "+file, run(Shell{Agent: ssh, Mpirun: file, Strict: true}, ""))
	assert.Equal(t, "--proxy of "+file, run(Shell{Agent: ssh, Mpirun: "/no/such/mpirun"}, dir))
	assert.Equal(t, "there is no mpirun at /no/such/mpirun, and none in PATH; --prefix says where it is",
		run(Shell{Agent: ssh, Mpirun: "/no/such/mpirun"}, "/no/such"))
	foreign := filepath.Join(t.TempDir(), "mpirun")
	require.NoError(t, os.WriteFile(foreign, []byte("#!/bin/sh\necho unknown option $1\n"), 0o755))
	assert.Equal(t, "the mpirun in PATH, "+foreign+", is not that of sctpmpi; --prefix says where that is",
		run(Shell{Agent: ssh, Mpirun: "/no/such/mpirun"}, filepath.Dir(foreign)))
	assert.Equal(t, "there is no mpirun /no/such/mpirun", run(Shell{Agent: ssh, Mpirun: "/no/such/mpirun", Strict: true}, dir))
}

// What mpirun needs of ssh it asks for whatever options the user has, and after them, so that the user's count.
func TestOptionsOfSSH(t *testing.T) {
	for agent, want := range map[string]string{
		"":                            "ssh OPTIONS",
		"ssh -p 2222":                 "ssh -p 2222 OPTIONS",
		"/opt/bin/ssh":                "/opt/bin/ssh OPTIONS",
		"ssh -o BatchMode=no":         "ssh -o BatchMode=no OPTIONS",
		"rsh -n":                      "rsh -n",
		"kubectl exec -i ssh":         "kubectl exec -i ssh",
		"docker run --entrypoint ssh": "docker run --entrypoint ssh",
	} {
		got := strings.Join(Agent(strings.Fields(agent)), " ")
		assert.Equal(t, want, strings.Replace(got, strings.Join(options, " "), "OPTIONS", 1))
	}
	assert.Contains(t, options, "BatchMode=yes")
}

func TestHostIsNeverAnOption(t *testing.T) {
	_, err := Dial(Shell{Agent: []string{"echo"}}, "-oProxyCommand=x", Beat, Events{})
	assert.EqualError(t, err, `"-oProxyCommand=x" is an option and not a host`)
}
