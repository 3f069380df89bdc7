package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/job"
)

// Options that users of other launchers type mean here what they mean there.
func TestOptionsOfOtherLaunchers(t *testing.T) {
	prog := self(t)
	file := filepath.Join(t.TempDir(), "hosts")
	require.NoError(t, os.WriteFile(file, []byte("a\nb:3\n"), 0o600))
	app := func(n int, env ...string) job.App {
		return job.App{N: n, Name: prog, Path: prog, Args: []string{prog}, Env: env}
	}
	two := []job.Host{{Name: "a", Ranks: []int{0}}, {Name: "b", Ranks: []int{1}}}
	for _, test := range []struct {
		args  string
		want  job.Spec
		hosts []job.Host
	}{
		{args: "-c 3", want: job.Spec{Apps: []job.App{app(3)}}},
		{args: "--ntasks=3", want: job.Spec{Apps: []job.App{app(3)}}},
		{args: "-l", want: job.Spec{Label: true, Apps: []job.App{app(1)}}},
		{args: "-prepend-rank -n 2", want: job.Spec{Label: true, Apps: []job.App{app(2)}}},
		{args: "--tag-output --allow-run-as-root -n 2", want: job.Spec{Label: true, Apps: []job.App{app(2)}}},
		{args: "--oversubscribe --map-by node -n 2", want: job.Spec{Apps: []job.App{app(2)}}},
		{args: "-bind-to-core", want: job.Spec{Bind: true, Apps: []job.App{app(1)}}},
		{args: "-env A 1 -env B=2 $1", want: job.Spec{Apps: []job.App{app(1, "A=1", "B=2=$1")}}},
		{args: "-genv A 1 -genvall -x B=2 PROG : -env C 3 -n 2", want: job.Spec{Apps: []job.App{app(1, "A=1", "B=2"), app(2, "A=1", "C=3")}}},
		{args: "-iface lo", want: job.Spec{Apps: []job.App{app(1, "SCTPMPI_INTERFACE=lo")}}},
		{args: "-hosts a,b -n 2", want: job.Spec{Apps: []job.App{app(2)}}, hosts: two},
		{args: "-H a,b -n 2", want: job.Spec{Apps: []job.App{app(2)}}, hosts: two},
		{args: "-f FILE -n 2", want: job.Spec{Apps: []job.App{app(2)}}, hosts: two},
		{args: "-machinefile=FILE -n 2", want: job.Spec{Apps: []job.App{app(2)}}, hosts: two},
		{args: "-hosts a,b -ppn 2 -n 3", want: job.Spec{Apps: []job.App{app(3)}},
			hosts: []job.Host{{Name: "a", Ranks: []int{0, 1}}, {Name: "b", Ranks: []int{2}}}},
		{args: "-host localhost -n 2", want: job.Spec{Apps: []job.App{app(2)}},
			hosts: []job.Host{{Name: "localhost", Local: true, Ranks: []int{0, 1}}}},
	} {
		args := strings.Fields(test.args)
		for i := range args {
			args[i] = strings.NewReplacer("PROG", prog, "FILE", file).Replace(args[i])
		}
		got, err := parse(append(args, prog), lookupIn(nil))
		require.NoError(t, err, test.args)
		assert.Equal(t, test.hosts, got.Hosts, test.args)
		test.want.Grace, test.want.Deadlock = time.Second, 5*time.Second
		got.Hosts, got.Shell, got.LaunchTimeout = nil, test.want.Shell, 0
		for i := range got.Apps {
			got.Apps[i].Path = prog // of other hosts it is looked for there
		}
		assert.Equal(t, test.want, got, test.args)
	}
}

// What means nothing here is named, once for all.
func TestOptionsWithoutAMeaningAreNamed(t *testing.T) {
	args := []string{"--mca", "btl", "tcp,self", "-n", "2", "--report-bindings", self(t), ":", "--mca", "pml", "ob1", self(t)}
	spec, err := parse(args, lookupIn(nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"ignored, as it is for other launchers: --mca btl tcp,self, --report-bindings, --mca pml ob1"}, spec.Notes)
}

// Options of other launchers must not hide ours, and must be said in words that there are.
func TestForeignOptionsAreSaidInOurs(t *testing.T) {
	fs := new(options).flagSet(true)
	for _, f := range foreignOptions {
		for name := range strings.FieldsSeq(f.names) {
			assert.Nil(t, lookup(fs, name), name)
		}
		if words := f.say([]string{"1", "1"}); len(words) > 0 {
			assert.NotNil(t, fs.Lookup(words[0][2:]), words)
			assert.False(t, f.ignored)
		}
	}
	fs.VisitAll(func(f *pflag.Flag) { assert.NotEmpty(t, f.Usage) })
}

func TestHelpAndVersion(t *testing.T) {
	var stdout, stderr bytes.Buffer
	assert.Zero(t, run([]string{"help"}, nil, &stdout, &stderr))
	assert.Equal(t, help(), stdout.String())
	for _, flag := range []string{"--version", "-version", "-V"} {
		stdout.Reset()
		assert.Zero(t, run([]string{flag}, nil, &stdout, &stderr))
		assert.Regexp(t, `^sctpmpi v\d+\.\d+\.\d+\S* \(go\S+ \w+/\w+\)\n$`, stdout.String())
	}
	assert.Empty(t, stderr.String())
}
