//go:build !race && linux

package foreign

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem"
)

// patience bounds a failing run and never decides a passing one.
const patience = 3 * time.Minute

// program is a program that runs at a host.
type program struct {
	testing.TB
	name   string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	output strings.Builder // so far
	errors bytes.Buffer
}

// need ends a test of a program that is not installed, and fails it where all tests are
// to be run.
func need(t testing.TB, name, debianPackage string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		if os.Getenv("SCTPMPI_REQUIRE_LAB") == "1" {
			t.Fatalf("%v: apt-get install %s", err, debianPackage)
		}
		t.Skipf("not run: %v: apt-get install %s", err, debianPackage)
	}
}

// start starts a program, which ends with the test. What it prints is seen line by line.
func start(t testing.TB, h *netem.Host, name string, args ...string) *program {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	p := &program{TB: t, name: name, cmd: h.Command(ctx, "stdbuf", append([]string{"-oL", name}, args...)...)}
	p.cmd.Stderr = &p.errors
	var err error
	p.in, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	p.out = bufio.NewScanner(out)
	p.out.Buffer(nil, 1<<20)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() {
		cancel()
		_ = p.cmd.Wait() // or test has
	})
	return p
}

// tell gives the program a line to read.
func (p *program) tell(line string) {
	p.Helper()
	_, err := io.WriteString(p.in, line+"\n")
	require.NoError(p, err)
}

// expect reads what the program prints up to a line that has a text in it.
func (p *program) expect(text string) {
	p.Helper()
	for p.out.Scan() {
		p.output.WriteString(p.out.Text() + "\n")
		if strings.Contains(p.out.Text(), text) {
			return
		}
	}
	require.Fail(p, "a program has not printed what was expected", "%s, %q: %v\n%s%s", p.name, text, p.out.Err(), &p.output, &p.errors)
}

// finish reads what the program prints up to its end, which is to be a successful one,
// and returns all of it.
func (p *program) finish() string {
	p.Helper()
	for p.out.Scan() {
		p.output.WriteString(p.out.Text() + "\n")
	}
	require.NoError(p, p.cmd.Wait(), "%s\n%s%s", p.name, &p.output, &p.errors)
	return p.output.String()
}
