package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// scalapackTests is where Debian has the tests of ScaLAPACK that are built for MPICH.
const scalapackTests = "/usr/lib/x86_64-linux-gnu/scalapack/mpich-tests"

// scalapackShort are those of the short form: LU, QR, PBLAS.
var scalapackShort = []string{"xdlu", "xsqr", "dpb1tst"}

// blacsEnd is the last thing that the testers of BLACS say before they try whether an abort kills all ranks. They end
// with the status of that.
const blacsEnd = "DONE BLACS_GRIDEXIT"

var (
	addTest = regexp.MustCompile(`add_test\((\w+) .*mpiexec`)

	// scalapackCounts are the forms in which the tests count what has passed and failed: the summary of most, that of
	// BLACS, and the rows of PBLAS' tables, which are SUBROUTINE TOTAL PASSED FAILED SKIPPED.
	scalapackCounts = []*regexp.Regexp{
		regexp.MustCompile(`(?P<passed>\d+) tests completed and passed`),
		regexp.MustCompile(`(?P<failed>\d+) tests completed and failed`),
		regexp.MustCompile(`(?P<passed>\d+) PASSED, +\d+ SKIPPED, +(?P<failed>\d+) FAILED`),
		regexp.MustCompile(`(?m)^[ |]*[A-Z][A-Z0-9]+ +\d+ +(?P<passed>\d+) +(?P<failed>\d+) +\d+ *$`),
	}
	// scalapackRow matches a check that is not in a count: a line that begins or ends with the word.
	scalapackRow = regexp.MustCompile(`(?m)^ *Passed |\bPASSED *$`)
	// scalapackFailure matches what only a failure prints.
	scalapackFailure = regexp.MustCompile(`(?m)^.*(\bFAILED *$|\bFAILED +\*|has failed|\*\*\*\*.*ERROR).*$`)
)

// scalapackUnset matches the tests that run without randomisation of addresses. ScaLAPACK 2.2.1 compares with a variable that it
// has not set (EST of its condition estimators, p?lacon.f). What the stack held decides then how often a rank iterates,
// and if ranks differ they wait forever, or call what others do not, over Debian's MPICH too. In single precision half a
// pointer is a large number.
var scalapackUnset = regexp.MustCompile(`^x[sdcz](lu|llt)$`)

// scalapackUnsetBounds is what the tests of eigenvalues print where the bounds VL and VU are not what they were before. ScaLAPACK
// 2.2.1 looks before it has set them (p?seprtst.f). If the stack held what is no number, which differs from itself, the
// test fails, over Debian's MPICH too. In single precision half a pointer is no number for one layout of memory in 256, so another
// try has other bounds.
var scalapackUnsetBounds = regexp.MustCompile(`VL or VU altered by`)

// scalapackTries is how often such a test is tried.
const scalapackTries = 4

// runScalapack runs Debian's tests of ScaLAPACK: Fortran, through Debian's own libmpichfort.so.12, with 4 ranks.
func runScalapack(ctx context.Context, b *bench) error {
	if err := needs(scalapackTests, "scalapack-mpi-test"); err != nil {
		return err
	}
	if err := needs("setarch", "util-linux"); err != nil {
		return err
	}
	tests, err := b.scalapackPrograms()
	if err != nil {
		return err
	}
	var failures []error
	passed := 0
	for _, path := range tests {
		err := b.scalapackTest(ctx, path)
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			failures = append(failures, err)
			b.log.say("%v", err)
			continue
		}
		passed++
	}
	b.log.say("scalapack: %d of %d programs pass", passed, len(tests))
	return errors.Join(failures...)
}

// scalapackTest runs a test, and says what is wrong with it.
func (b *bench) scalapackTest(ctx context.Context, path string) error {
	name := filepath.Base(path)
	b.before = nil
	if scalapackUnset.MatchString(name) {
		b.before = []string{"setarch", "-R"}
	}
	for try := 1; ; try++ {
		o, err := b.launch(ctx, b.programLibrary(), b.transport, 4, path)
		if err == nil || !o.timedOut && strings.Contains(o.output, blacsEnd) {
			err = scalapackVerdict(name, o.output)
		}
		if err == nil || try == scalapackTries || !scalapackUnsetBounds.MatchString(o.output) {
			return err
		}
		b.log.say("%s: compares bounds that it has not set, and is tried again (%v)", name, err)
	}
}

// scalapackPrograms returns the paths of the programs to run, and puts their input beside them. They read and write the
// folder that they run in.
func (b *bench) scalapackPrograms() (paths []string, err error) {
	for _, folder := range []string{".", "BLACS", "PBLAS"} {
		from := filepath.Join(scalapackTests, folder)
		inputs, _ := filepath.Glob(filepath.Join(from, "*.dat"))
		for _, input := range inputs {
			link := filepath.Join(b.folder, filepath.Base(input))
			if err := os.Symlink(input, link); err != nil && !errors.Is(err, os.ErrExist) {
				return nil, err
			}
		}
		text, err := os.ReadFile(filepath.Join(from, "CTestTestfile.cmake"))
		if err != nil {
			return nil, err
		}
		for _, match := range addTest.FindAllStringSubmatch(string(text), -1) {
			paths = append(paths, filepath.Join(from, match[1]))
		}
	}
	if b.short {
		paths = selectNames(paths, scalapackShort)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s lists no tests", scalapackTests)
	}
	return paths, nil
}

// selectNames keeps the paths that end in one of the names.
func selectNames(paths, names []string) (kept []string) {
	for _, name := range names {
		for _, path := range paths {
			if filepath.Base(path) == name {
				kept = append(kept, path)
			}
		}
	}
	return kept
}

// scalapackVerdict says what is wrong with the output of a test that has come to its end.
func scalapackVerdict(name, output string) error {
	if line := scalapackFailure.FindString(output); line != "" {
		return fmt.Errorf("%s: prints %s", name, strings.TrimSpace(line))
	}
	passed := len(scalapackRow.FindAllString(output, -1))
	for _, form := range scalapackCounts {
		for _, match := range form.FindAllStringSubmatch(output, -1) {
			passed += count(form, match, "passed")
			if count(form, match, "failed") > 0 {
				return fmt.Errorf("%s: prints %s", name, strings.TrimSpace(match[0]))
			}
		}
	}
	if passed == 0 {
		return fmt.Errorf("%s: says of no test that it passes", name)
	}
	return nil
}

// count is a number that a match has under a name, 0 if its form does not have it.
func count(form *regexp.Regexp, match []string, name string) int {
	i := form.SubexpIndex(name)
	if i < 0 {
		return 0
	}
	n, _ := strconv.Atoi(match[i])
	return n
}
