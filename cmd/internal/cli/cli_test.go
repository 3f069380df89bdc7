package cli_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
)

var program = cli.Program{Name: "bench", Help: "bench help"}

// exit returns the exit status for an error, and what is printed.
func exit(err error, interrupted bool) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = program.Exit(err, interrupted, &out, &errs)
	return status, out.String(), errs.String()
}

func TestExitStatusTellsHowTheProgramEnded(t *testing.T) {
	for _, c := range []struct {
		err         error
		interrupted bool
		status      int
		stderr      string
	}{
		{nil, false, 0, ""},
		{errors.New("no"), false, cli.Failure, "bench: no\n"},
		{cli.Usagef("--size %d", -1), false, cli.Usage, "bench: --size -1\nSee bench help.\n"},
		{context.Canceled, true, cli.Interrupted, "bench: interrupted\n"},
	} {
		status, stdout, stderr := exit(c.err, c.interrupted)
		assert.Equal(t, c.status, status)
		assert.Empty(t, stdout)
		assert.Equal(t, c.stderr, stderr)
	}
}

func parse(args ...string) error {
	fs := pflag.NewFlagSet("bench latency", pflag.ContinueOnError)
	fs.Int("size", 8, "length of a message in `bytes`")
	return cli.Parse(fs, args, "Measures the latency.\n")
}

func TestHelpIsPrintedAndIsNoFailure(t *testing.T) {
	status, stdout, stderr := exit(parse("--help"), false)
	assert.Zero(t, status)
	assert.Empty(t, stderr)
	for _, text := range []string{"usage: bench latency [flag]...", "Measures the latency.", "--size bytes", "Exit status: 0"} {
		assert.Contains(t, stdout, text)
	}
}

func TestWrongFlagsAndArgumentsAreUsageErrors(t *testing.T) {
	require.NoError(t, parse("--size", "3"))
	for _, arg := range []string{"--size=many", "--colour", "8"} {
		status, _, _ := exit(parse(arg), false)
		assert.Equal(t, cli.Usage, status, arg)
	}
}
