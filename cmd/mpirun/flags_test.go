package main

import (
	"bytes"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/job"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func lookupIn(environment map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := environment[name]
		return value, ok
	}
}

// self is a program that there is on every system.
func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	return path
}

func TestFlags(t *testing.T) {
	prog := self(t)
	app := func(n int, args ...string) job.App {
		return job.App{N: n, Name: prog, Path: prog, Args: append([]string{prog}, args...)}
	}
	for _, test := range []struct {
		args []string
		want job.Spec
	}{
		{[]string{prog}, job.Spec{Apps: []job.App{app(1)}}},
		{[]string{"-n", "4", prog, "-n", "5"}, job.Spec{Apps: []job.App{app(4, "-n", "5")}}},
		{[]string{"-n4", prog}, job.Spec{Apps: []job.App{app(4)}}},
		{[]string{"-np", "4", prog}, job.Spec{Apps: []job.App{app(4)}}},
		{[]string{"--np=4", prog}, job.Spec{Apps: []job.App{app(4)}}},
		{[]string{"-np=4", "--", prog, "-x"}, job.Spec{Apps: []job.App{app(4, "-x")}}},
		{[]string{"--label", "--verbose", "--timeout", "2m", "--transport", "t", prog},
			job.Spec{Label: true, Verbose: true, Timeout: 2 * time.Minute, Transport: "t", Apps: []job.App{app(1)}}},
		{[]string{"-label", "-timeout", "2m", "-transport=t", prog},
			job.Spec{Label: true, Timeout: 2 * time.Minute, Transport: "t", Apps: []job.App{app(1)}}},
		{[]string{"-n", "2", prog, "a", ":", "-n", "3", prog, "b"}, job.Spec{Apps: []job.App{app(2, "a"), app(3, "b")}}},
		{[]string{"-x", "A=1", "-xHOME", "-x", "B=", prog},
			job.Spec{Apps: []job.App{{N: 1, Name: prog, Path: prog, Args: []string{prog}, Env: []string{"A=1", "HOME=/me", "B="}}}}},
	} {
		got, err := parse(test.args, lookupIn(map[string]string{"HOME": "/me"}))
		require.NoError(t, err, test.args)
		test.want.Grace, test.want.Deadlock = time.Second, 5*time.Second
		assert.Equal(t, test.want, got, test.args)
	}
}

func TestWrongCommandLines(t *testing.T) {
	prog := self(t)
	for _, test := range []struct {
		args []string
		why  string
	}{
		{nil, "no program given"},
		{[]string{"-n", "4"}, "no program given"},
		{[]string{prog, ":"}, "no program given"},
		{[]string{prog, ":", ":", prog}, "no program given"},
		{[]string{"-n", "0", prog}, "-n 0: a job needs at least one process"},
		{[]string{"-np", "-1", prog}, "-n -1: a job needs at least one process"},
		{[]string{"-n", "four", prog}, "-n four: it must be a number\n"},
		{[]string{"-n"}, "flag needs an argument"},
		{[]string{"--hostfile", "/no/such/file", prog}, "--hostfile: open /no/such/file: no such file or directory"},
		{[]string{"--host", "a", "--hostfile", "b", prog}, "--host and --hostfile: only one of them"},
		{[]string{"--host", "a", "--map-by", "socket", prog}, "--map-by socket: there are slot and node"},
		{[]string{"--bind-to", "socket", prog}, "--bind-to socket: there are core and none"},
		{[]string{"--map-by", "socket", prog}, "--map-by socket: there are slot and node"},
		{[]string{"--prefix", "/opt", prog}, "need --host or --hostfile"},
		{[]string{prog, ":", "--host", "a", prog}, "--host is for the whole job: it belongs before the first program"},
		{[]string{prog, ":", "-genv", "A", "1", prog}, "-genv is for the whole job: it belongs before the first program"},
		{[]string{"-f", "/no/such/file", prog}, "--hostfile: open /no/such/file: no such file or directory"},
		{[]string{"--ppn", "0", prog}, "--ppn 0: a host has at least one slot"},
		{[]string{"-ppn", "many", prog}, "--ppn many: it must be a number"},
		{[]string{"-env", "A"}, "-env needs 2 values"},
		{[]string{"--mca", "btl"}, "--mca needs 2 values"},
		{[]string{"--hots", "a", prog}, "there is no option --hots; did you mean --host"},
		{[]string{"-hostlist=a", prog}, "there is no option -hostlist; did you mean --host"},
		{[]string{"--oversubscibe", prog}, "there is no option --oversubscibe; did you mean --oversubscribe?"},
		{[]string{"--gibberish", prog}, "there is no option --gibberish\n"},
		{[]string{"-z", prog}, "there is no option -z\n"},
		{[]string{"--transport=", prog}, "--transport needs a name"},
		{[]string{"--timeout", "0s", prog}, "--timeout 0s"},
		{[]string{"--timeout", "soon", prog}, "--timeout soon: it must be a duration, such as 90s or 1h30m\n"},
		{[]string{"-x", "=1", prog}, "-x =1: no variable given"},
		{[]string{"-x", "NOT_SET", prog}, "-x NOT_SET: not set in the environment of mpirun; give it a value by -x NOT_SET=VALUE"},
		{[]string{"-x", "PMI_RANK=0", prog}, "mpirun itself sets this variable"},
		{[]string{"-x", "SCTPMPI_JOB_TOKEN=0", prog}, "mpirun itself sets this variable"},
		{[]string{"--wdir", "/no/such/directory", prog}, "--wdir: "},
		{[]string{"--wdir", prog, prog}, "is not a directory"},
		{[]string{prog, ":", "--label", prog}, "--label is for the whole job"},
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, 2, run(test.args, nil, &stdout, &stderr), test.args)
		assert.Contains(t, stderr.String(), test.why)
		assert.Contains(t, stderr.String(), "mpirun: see mpirun --help\n")
		assert.Empty(t, stdout.String())
	}
}

func TestKillGrace(t *testing.T) {
	prog := self(t)
	spec, err := parse([]string{prog}, lookupIn(map[string]string{"SCTPMPI_KILL_GRACE": "250ms"}))
	require.NoError(t, err)
	assert.Equal(t, 250*time.Millisecond, spec.Grace)
	for _, text := range []string{"", "5", "-1s", "x"} {
		_, err := parse([]string{prog}, lookupIn(map[string]string{"SCTPMPI_KILL_GRACE": text}))
		require.ErrorContains(t, err, "is not a duration such as 500ms")
	}
}

func TestHelpNamesEveryFlagAndVariable(t *testing.T) {
	for _, flag := range []string{"--help", "-h", "-help"} {
		var stdout, stderr bytes.Buffer
		assert.Zero(t, run([]string{"-n", "2", flag}, nil, &stdout, &stderr))
		assert.Empty(t, stderr.String())
		for _, word := range []string{
			"-n, --np", "-x, --export", "--wdir", "--transport", "--label", "--verbose", "--timeout",
			"--host", "--hostfile", "--map-by", "--oversubscribe", "--launch-agent", "--launch-timeout", "--bind-to", "--prefix", "--dry-run",
		} {
			assert.Contains(t, stdout.String(), word)
		}
		for _, name := range rpi.Variables {
			assert.Contains(t, stdout.String(), "\n  "+name+" ")
		}
		for _, name := range regexp.MustCompile(`SCTPMPI_[A-Z_]+`).FindAllString(stdout.String(), -1) {
			assert.Contains(t, rpi.Variables, name)
		}
	}
}
