//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLinesStayWhole(t *testing.T) {
	const ranks, lines = 8, 2000
	for _, label := range []bool{false, true} {
		args := []string{"-n", strconv.Itoa(ranks), "RANK", "lines", strconv.Itoa(lines)}
		if label {
			args = append([]string{"--label"}, args...)
		}
		status, stdout, stderr := runMpirun(t, args...)
		require.Zero(t, status)
		for parity, text := range []string{stdout, stderr} {
			next := slices.Repeat([]int{parity}, ranks)
			for line := range strings.Lines(text) {
				if label {
					rank, rest, _ := strings.Cut(line, "] ")
					line = rest
					require.Equal(t, strings.TrimPrefix(rank, "["), line[:strings.Index(line, ":")])
				}
				var rank, i int
				_, err := fmt.Sscanf(line, "%d:%d:", &rank, &i)
				require.NoError(t, err, line)
				require.Equal(t, next[rank], i, "the lines of a rank stay in order, none is lost")
				require.Equal(t, fmt.Sprintf("%d:%d:%s:end\n", rank, i, strings.Repeat("x", i%700)), line)
				next[rank] += 2
			}
			for _, n := range next {
				require.Equal(t, lines+parity, n)
			}
		}
	}
}

// After 2>&1 what a rank writes to standard output and to standard error stays in its order.
func TestOutputKeepsItsOrderWhereBothGoToOneFile(t *testing.T) {
	const ranks, lines = 4, 1000
	for _, where := range [][]string{nil, {"--launch-agent", word(agent(t, fakeShell)), "--host", "a:2,b:2"}} {
		file, err := os.Create(filepath.Join(t.TempDir(), "both"))
		require.NoError(t, err)
		defer file.Close()
		m := command(t, append(where, "-n", strconv.Itoa(ranks), "RANK", "lines", strconv.Itoa(lines))...)
		m.Stdout, m.Stderr = file, file
		require.NoError(t, m.Start())
		require.Zero(t, m.status(t))
		text, err := os.ReadFile(file.Name())
		require.NoError(t, err)
		next := make([]int, ranks)
		for line := range strings.Lines(string(text)) {
			var rank, i int
			_, err := fmt.Sscanf(line, "%d:%d:", &rank, &i)
			require.NoError(t, err, line)
			require.Equal(t, next[rank], i)
			next[rank]++
		}
		assert.Equal(t, slices.Repeat([]int{lines}, ranks), next)
	}
}

func TestStandardInputGoesToRankZero(t *testing.T) {
	m := command(t, "-n", "3", "RANK", "cat")
	m.Stdin = strings.NewReader("some text\n")
	require.NoError(t, m.Start())
	require.Zero(t, m.status(t))
	lines := slices.Sorted(strings.Lines(m.stdout.String()))
	assert.Equal(t, []string{"0 read \"some text\\n\"\n", "1 read \"\"\n", "2 read \"\"\n"}, lines)
}

// A shell loop that reads lines must not lose those that no rank has read.
func TestStandardInputIsReadNoFurtherThanRankZeroReads(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	_, err = io.WriteString(w, "1\n2\n3\n")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	m := command(t, "-n", "2", "RANK", "first-line")
	m.Stdin = r
	require.NoError(t, m.Start())
	require.Zero(t, m.status(t))
	assert.Equal(t, "\"1\\n\"\n\"\\x00\\x00\"\n", strings.Join(slices.Sorted(strings.Lines(m.stdout.String())), ""))
	rest, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, "2\n3\n", string(rest))
}

// As in mpirun … | head: the job ends when the reader of its output goes away.
func TestClosedStandardOutputEndsTheJob(t *testing.T) {
	m := command(t, "-n", "2", "RANK", "signals", "15", "until", "15")
	r, w, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	m.Stdout = w
	require.NoError(t, m.Start())
	require.NoError(t, w.Close())
	assert.Equal(t, 141, m.status(t))
	assert.Equal(t, "cannot write to standard output: write /dev/stdout: broken pipe; ending the job\n",
		messages(m.stderr.String()))
}

func TestSlowReaderGetsEverything(t *testing.T) {
	m := command(t, "-n", "2", "RANK", "lines", "3000")
	m.Stdout = nil
	out, err := m.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, m.Start())
	lines := 0
	for in := bufio.NewReaderSize(out, 16); ; lines++ { // in small bites
		if _, err := in.ReadString('\n'); err != nil {
			break
		}
	}
	require.Zero(t, m.status(t))
	assert.Equal(t, 3000, lines)
}

func TestArgumentsAreThoseOfTheProgram(t *testing.T) {
	status, stdout, _ := runMpirun(t, "-n", "1", "RANK", "arguments", "-n", "x", "--label", "--", "-h")
	assert.Zero(t, status)
	assert.Equal(t, `["-n" "x" "--label" "--" "-h"]`+"\n", stdout)
}

func TestWorkingDirectory(t *testing.T) {
	dir := t.TempDir()
	status, stdout, _ := runMpirun(t, "--wdir", dir, "RANK", "directory")
	assert.Zero(t, status)
	assert.Equal(t, dir+"\n", stdout)
}

func TestContextsNumberTheirRanksThrough(t *testing.T) {
	status, stdout, _ := runMpirun(t, "-n", "2", "RANK", "appnum", ":", "-np", "1", "RANK", "appnum", ":", "RANK", "appnum")
	assert.Zero(t, status)
	assert.Equal(t, []string{"0 0 <nil>\n", "1 0 <nil>\n", "2 1 <nil>\n", "3 2 <nil>\n"}, slices.Sorted(strings.Lines(stdout)))
}
