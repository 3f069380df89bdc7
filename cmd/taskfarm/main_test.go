package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// outcome is what a run shows.
type outcome struct {
	stdout, stderr string
	status         int
}

// taskfarm runs the program on some ranks. Only rank 0 has the arguments.
func taskfarm(t *testing.T, ranks int, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	var finish func() error
	require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			var err error
			finish, err = run(t.Context(), world, args, output{&stdout, &stderr})
			return err
		}
		others, err := run(t.Context(), world, nil, output{})
		if err == nil {
			err = others()
		}
		return err
	}))
	status := report(finish(), 0, false, &stdout, &stderr)
	return outcome{stdout.String(), stderr.String(), status}
}

// file makes a file.
func file(t *testing.T, content string) string {
	path := filepath.Join(t.TempDir(), "proteins.fasta")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func TestSearchPrintsTableAndSummary(t *testing.T) {
	query, db := file(t, ">q\nMKVWWL\n"), file(t, ">a\nAAWWAA\n>b\nMKVWWL\n>c\nGGGG\n")
	o := taskfarm(t, 3, "search", "--query", query, "--db", db)
	assert.Equal(t, ""+
		"QUERY  SCORE  TARGET  QUERY END  TARGET END\n"+
		"q      40     b       6          6\n"+
		"       22     a       5          4\n", o.stdout)
	assert.Regexp(t, `^search    queries 1, targets 3, cells 96, tasks 1\n`+
		`ranks     3 over (shm \+ )?\S+, slots 4, fanout 1\n`+
		`time      \d+\.\d{3} s: .* GCUPS .*\n`+
		`checksum  [0-9a-f]{16}\n$`, o.stderr)
	assert.Zero(t, o.status)
}

func TestSearchWritesTSV(t *testing.T) {
	query, db := file(t, ">q\nMKVWWL\n"), file(t, ">a\nAAWWAA\n")
	const want = "query\tscore\ttarget\tquery_end\ttarget_end\nq\t22\ta\t5\t4\n"
	assert.Equal(t, want, taskfarm(t, 2, "search", "--query", query, "--db", db, "--tsv", "-").stdout)

	hits := file(t, strings.Repeat("what was there before\n", 10))
	o := taskfarm(t, 2, "search", "--query", query, "--db", db, "--tsv", hits)
	assert.Contains(t, o.stdout, "QUERY")
	written, err := os.ReadFile(hits)
	require.NoError(t, err)
	assert.Equal(t, want, string(written))
}

func TestFailedSearchLeavesTheOldHits(t *testing.T) {
	hits := file(t, "what was there before\n")
	o := taskfarm(t, 2, "search", "--query", file(t, ""), "--tsv", hits)
	assert.Equal(t, cli.Failure, o.status)
	left, err := os.ReadFile(hits)
	require.NoError(t, err)
	assert.Equal(t, "what was there before\n", string(left))
}

func TestJSONIsAllOfStandardOutput(t *testing.T) {
	query, db := file(t, ">q\nMKVWWL\n"), file(t, ">a\nAAWWAA\n")
	for _, args := range [][]string{
		{"search", "--query", query, "--db", db, "--json"},
		{"synthetic", "--tasks", "20", "--size", "100", "--compute", "0", "--json"},
	} {
		o := taskfarm(t, 2, args...)
		assert.Empty(t, o.stderr)
		var fields map[string]any
		require.NoError(t, json.Unmarshal([]byte(o.stdout), &fields), o.stdout)
		assert.Equal(t, args[0], fields["command"])
		assert.EqualValues(t, 2, fields["ranks"])
		assert.Regexp(t, "^[0-9a-f]{16}$", fields["checksum"])
		assert.Contains(t, fields, map[string]string{"search": "gcups", "synthetic": "tasks_per_second"}[args[0]])
	}
}

func TestSyntheticIsTheSameOnAnyNumberOfRanks(t *testing.T) {
	var checksums []string
	for _, ranks := range []int{1, 2, 4} {
		o := taskfarm(t, ranks, "synthetic", "--tasks", "50", "--size", "3000", "--result-size", "500", "--compute", "10us")
		require.Zero(t, o.status, o.stderr)
		assert.Contains(t, o.stderr, "tasks 50 of 3000 bytes and 10µs, results of 500 bytes")
		checksums = append(checksums, o.stderr[strings.Index(o.stderr, "checksum"):])
	}
	assert.Equal(t, checksums[0], checksums[1])
	assert.Equal(t, checksums[0], checksums[2])
}

// The matrix of the program's proteins is the same to the last bit on any number of ranks.
func TestCorrelateIsTheSameOnAnyNumberOfRanks(t *testing.T) {
	const checksum = "checksum   25db516dc7843c77\n"
	for _, ranks := range []int{1, 4} {
		o := taskfarm(t, ranks, "correlate", "--top", "2", "--block", strconv.Itoa(10+5*ranks))
		require.Zero(t, o.status, o.stderr)
		assert.Regexp(t, `^correlate  features 204, proteins 1000, tasks \d+\n`, o.stderr)
		assert.Contains(t, o.stderr, checksum)
		assert.Equal(t, "CORRELATION  OF          AND\n-0.675       share of A  mean mass\n-0.659       share of G  mean mass\n", o.stdout)
	}
	bad := taskfarm(t, 2, "correlate", "--db", file(t, ">a\nMKV\n"))
	assert.Equal(t, outcome{"", "taskfarm: reading the database: a correlation needs two proteins at least\n", cli.Failure}, bad)
}

// A job that was interrupted goes on from its checkpoint, and removes it in the end.
func TestJobGoesOnFromItsCheckpoint(t *testing.T) {
	checkpoint := filepath.Join(t.TempDir(), "checkpoint")
	args := []string{"synthetic", "--tasks", "50", "--compute", "0", "--checkpoint", checkpoint}
	want := taskfarm(t, 3, args[:5]...)
	ctx, cancel := context.WithCancel(t.Context())
	err := mpi.RunLocal(1, func(world *mpi.Comm) error {
		// It ends when a line of progress says that something is done.
		_, err := run(ctx, world, append(args, "--report", "1ns"), output{io.Discard, cancelling{cancel}})
		return err
	})
	require.ErrorIs(t, err, context.Canceled)
	require.FileExists(t, checkpoint)
	o := taskfarm(t, 3, args...)
	require.Zero(t, o.status, o.stderr)
	assert.Regexp(t, `; tasks from the checkpoint \d+\n`, o.stderr)
	checksum := regexp.MustCompile(`checksum .*`)
	assert.Equal(t, checksum.FindString(want.stderr), checksum.FindString(o.stderr))
	assert.NoFileExists(t, checkpoint)
}

// cancelling cancels when a line of progress is written, but not for the first, which says that nothing is done.
type cancelling struct{ cancel func() }

func (c cancelling) Write(b []byte) (int, error) {
	if !bytes.HasPrefix(b, []byte("taskfarm: 0 of")) {
		c.cancel()
	}
	return len(b), nil
}

func TestCheckpointOfAnotherJobIsLeftAlone(t *testing.T) {
	other := file(t, "what was there before\n")
	for _, command := range []string{"search", "correlate", "synthetic"} {
		var said error
		err := mpi.RunLocal(2, func(world *mpi.Comm) error {
			_, err := run(t.Context(), world, []string{command, "--checkpoint", other}, output{io.Discard, io.Discard})
			if world.Rank() == 0 {
				said = err
			}
			return err
		})
		require.Error(t, err)
		assert.EqualError(t, said, "farm: checkpoint "+other+": the file is no checkpoint of a farm")
		left, err := os.ReadFile(other)
		require.NoError(t, err)
		assert.Equal(t, "what was there before\n", string(left))
	}
}

// All ranks end in good order, and rank 0 says why.
func TestWhatIsWrongWithAFileIsSaidOnce(t *testing.T) {
	good, bad := file(t, ">a\nMKV\n"), file(t, ">a\nMKV\n>b\nMK\nV1\n")
	missing := filepath.Join(t.TempDir(), "missing.fasta")
	for want, args := range map[string][]string{
		"reading the queries: open " + missing + ": no such file or directory":                                        {"--query", missing},
		"reading the database: open " + missing + ": no such file or directory":                                       {"--db", missing},
		"reading the database: " + bad + `:5: record "b": '1' in column 2 stands for no amino acid; letters and * do`: {"--query", good, "--db", bad},
		"writing the hits: open " + filepath.Join(missing, "hits.tsv") + ": no such file or directory":                {"--tsv", filepath.Join(missing, "hits.tsv")},
		"reading the queries: " + file(t, ">a\n>b\nM\n") + `:2: record "a" has no sequence (its header is in line 1)`: nil,
	} {
		if args == nil {
			args = []string{"--query", strings.TrimSuffix(strings.Fields(want)[3], ":2:")}
		}
		o := taskfarm(t, 3, append([]string{"search"}, args...)...)
		assert.Equal(t, outcome{"", "taskfarm: " + want + "\n", cli.Failure}, o)
	}
}

func TestMistakesInTheCommandLine(t *testing.T) {
	for want, args := range map[string][]string{
		"a command is missing: search, correlate or synthetic":                        {},
		`"frob" is no command; search, correlate and synthetic are`:                   {"frob"},
		`"more" is one argument too many`:                                             {"search", "more"},
		"unknown flag: --tasks":                                                       {"search", "--tasks", "7"},
		"fanout 0 is not from 1 to 1024":                                              {"search", "--fanout", "0"},
		"slots 1025 is not from 1 to 1024":                                            {"synthetic", "--slots", "1025"},
		`--receives "all" is none of any-source, any-tag and named`:                   {"search", "--receives", "all"},
		"--report -1s is negative":                                                    {"search", "--report", "-1s"},
		"top 0 is not from 1 to 1000":                                                 {"search", "--top", "0"},
		"block 65 is not from 1 to 64 features":                                       {"correlate", "--block", "65"},
		"top 0 is not 1 or more":                                                      {"correlate", "--top", "0"},
		"0 tasks are not from 1 to 10000000":                                          {"synthetic", "--tasks", "0"},
		"--json and --tsv - would both write to standard output":                      {"search", "--json", "--tsv", "-"},
		`invalid argument "soon" for "--compute" flag: time: invalid duration "soon"`: {"synthetic", "--compute", "soon"},
	} {
		assert.Equal(t, outcome{"", "taskfarm: " + want + "\nSee taskfarm help.\n", cli.Usage}, taskfarm(t, 2, args...))
	}
}

func TestHelpIsPrintedOnce(t *testing.T) {
	for want, args := range map[string][]string{
		"taskfarm synthetic: ": {"help"}, "taskfarm search: ": {"-h"}, "--query file": {"search", "--help"}, "--compute time": {"synthetic", "-h"},
	} {
		o := taskfarm(t, 2, args...)
		assert.Equal(t, outcome{stdout: o.stdout}, o)
		assert.Equal(t, 1, strings.Count(o.stdout, "usage: mpirun -n RANKS taskfarm "), o.stdout)
		assert.Contains(t, o.stdout, want)
		for line := range strings.Lines(o.stdout) {
			assert.LessOrEqual(t, len(line), 100, line)
		}
	}
}

func TestInterruptEndsTheRank(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupt := errors.New("interrupt")
	cancel(interrupt)
	err := mpi.RunLocal(1, func(world *mpi.Comm) error {
		_, err := run(ctx, world, []string{"synthetic", "--compute", "1h"}, output{})
		return err
	})
	assert.ErrorIs(t, err, interrupt)
	var stderr strings.Builder
	assert.Equal(t, cli.Interrupted, report(err, 0, true, io.Discard, &stderr))
	assert.Equal(t, "taskfarm: interrupted\n", stderr.String())
}
