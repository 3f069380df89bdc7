// Package labtest runs tests in a lab: those that need a kernel with SCTP, netem or network namespaces. It is for the
// tests of any program, with MPI or without.
//
// A package with such tests hands its TestMain to Run, and each such test begins with InLab. go test then runs the other
// tests as ever and, after them, these in one lab, whose output it passes on:
//
//	func TestMain(m *testing.M) { labtest.Run(m) }
//
//	func TestKernelSocket(t *testing.T) {
//		labtest.InLab(t)
//		…
//	}
//
// InNetwork and Capture serve tests outside a lab too, where users may make network namespaces.
//
// On the host a test that calls InLab is reported as skipped, in the lab as passed or failed. Where there is no lab a line
// says so. As go test hides the output of packages that pass, continuous integration should set SCTPMPI_REQUIRE_LAB=1,
// which makes a missing lab a failure.
package labtest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab"
)

// requireVariable makes it an error that tests could not run for want of a lab.
const requireVariable = "SCTPMPI_REQUIRE_LAB"

// waiting are the names of the tests and benchmarks that have called InLab on the host.
var waiting struct {
	mu    sync.Mutex
	ready bool
	names map[string]bool
	dirs  []string // see TempDir
}

// InLab ends a test or benchmark that is not in a lab, and has it run in one later on.
func InLab(tb testing.TB) {
	tb.Helper()
	if lab.Inside() {
		return
	}
	waiting.mu.Lock()
	defer waiting.mu.Unlock()
	if !waiting.ready {
		tb.Fatal("labtest.InLab: the package's TestMain must call labtest.Run")
	}
	name, _, _ := strings.Cut(tb.Name(), "/")
	waiting.names[name] = true
	tb.Skip("runs in the lab, below")
}

// TempDir makes a directory for what a test prepares on the host before it calls InLab. In the lab it is at the same place,
// read-only; it is removed when the tests there are over.
func TempDir(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "sctpmpi-labtest-")
	if err != nil {
		tb.Fatal(err)
	}
	waiting.mu.Lock()
	defer waiting.mu.Unlock()
	waiting.dirs = append(waiting.dirs, dir)
	return dir
}

// Need ends a test that itself starts labs where there are none.
func Need(tb testing.TB) {
	tb.Helper()
	if err := lab.Probe(); err != nil {
		if os.Getenv(requireVariable) != "" {
			tb.Fatal(notRun(err))
		}
		tb.Skip(notRun(err))
	}
}

func notRun(err error) string {
	return fmt.Sprintf("kernel SCTP suite: not run (%v)", err)
}

// Run runs the tests of a package and then, in one lab, those that have called InLab. It does not return: call it last in
// TestMain.
func Run(m *testing.M) {
	if lab.Inside() {
		if err := PrepareSCTP(); err != nil {
			fmt.Println("kernel SCTP suite: FAILED:", err)
			os.Exit(1)
		}
	}
	waiting.mu.Lock()
	waiting.ready, waiting.names = true, map[string]bool{}
	waiting.mu.Unlock()
	code := m.Run()
	if len(waiting.names) > 0 {
		code = max(code, inLab())
	}
	for _, dir := range waiting.dirs {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// inLab runs the waiting tests in a lab and returns the exit status.
func inLab() int {
	if err := lab.Probe(); err != nil {
		fmt.Println(notRun(err))
		if os.Getenv(requireVariable) != "" {
			return 1
		}
		return 0
	}
	ctx := context.Background()
	if limit := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration); limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit+grace, errors.New("the time of the tests is up"))
		defer cancel()
	}
	path, remove, err := testBinary(ctx)
	if err != nil {
		fmt.Println("kernel SCTP suite: FAILED:", err)
		return 1
	}
	defer remove()
	c := lab.Command(ctx, lab.Config{}, path, arguments()...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	err = c.Run()
	var exit *lab.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.Code > 0:
		return exit.Code
	}
	fmt.Println("kernel SCTP suite: FAILED:", err)
	return 1
}

// grace is what tests in a lab get beyond the limit that they keep themselves, by which they say where they hang.
const grace = 30 * time.Second

// arguments are the flags of this test binary, changed for a lab: only the waiting tests, and no files to write to.
func arguments() []string {
	var args, names []string
	benchmarks := false
	flag.Visit(func(f *flag.Flag) {
		switch name := strings.TrimPrefix(f.Name, "test."); name {
		case "run", "bench", "skip", "paniconexit0", "testlogfile", "outputdir", "gocoverdir", "fuzzcachedir", "trace":
		default:
			if !strings.HasSuffix(name, "profile") && !strings.HasPrefix(name, "fuzz") {
				args = append(args, fmt.Sprintf("-%s=%s", f.Name, f.Value))
			}
		}
	})
	for name := range waiting.names {
		names = append(names, regexp.QuoteMeta(name))
		benchmarks = benchmarks || strings.HasPrefix(name, "Benchmark")
	}
	run := "^(" + strings.Join(names, "|") + ")$"
	// The flags may select among the subtests of those tests too.
	if _, subtests, found := strings.Cut(flag.Lookup("test.run").Value.String(), "/"); found {
		run += "/" + subtests
	}
	args = append(args, "-test.run="+run)
	if benchmarks {
		args = append(args, "-test.bench="+run)
	}
	if skip := flag.Lookup("test.skip").Value.String(); skip != "" {
		args = append(args, "-test.skip="+skip)
	}
	return append(args, flag.Args()...)
}

// testBinary returns a test binary that can run in a lab: this one, or one without the race detector.
func testBinary(ctx context.Context) (path string, remove func(), err error) {
	if !raceDetector {
		path, err := os.Executable()
		return path, func() {}, err
	}
	dir, err := os.MkdirTemp("", "sctpmpi-labtest-")
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, "lab.test")
	if out, err := exec.CommandContext(ctx, "go", "test", "-race=false", "-c", "-o", path, ".").CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return "", nil, fmt.Errorf("go test -c, as the lab cannot run the race detector: %w\n%s", err, out)
	}
	return path, func() { os.RemoveAll(dir) }, nil
}
