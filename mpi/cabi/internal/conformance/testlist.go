package main

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// standardDirs are the directories whose programs are for C and for what the library has.
var standardDirs = []string{
	"init", "group", "info", "errhan", "attr", "datatype", "pt2pt", "coll", "comm", "topo", "part", "mpi_t", "threads", "rma", "io", "errors", "ft",
}

// defaultRanks and defaultLimit are what a line of a testlist means that does not say.
const (
	defaultRanks = 2
	defaultLimit = 3 * time.Minute
)

// test is one line of a testlist: a program and how it is run.
type test struct {
	dir, program string
	ranks        int
	args, env    []string
	limit        time.Duration
	judge        string  // how its output is judged: resultTest=
	memory       float64 // GB that it needs
	extension    bool    // it uses what neither the standard nor this library has
	survives     bool    // a rank dies, and the job goes on
}

// name is how results and expected.txt call it: "pt2pt/sendself 2 -type=MPI_INT".
func (t test) name() string {
	return strings.Join(append([]string{t.path(), strconv.Itoa(t.ranks)}, append(t.args, t.env...)...), " ")
}

func (t test) path() string { return path.Join(t.dir, t.program) }

// lists are the folders of the suite that hold testlists: what configure has written, and what it leaves as it is.
type lists []string

// open opens the testlist of a directory.
func (l lists) open(dir string) (file *os.File, err error) {
	for _, root := range l {
		if file, err = os.Open(filepath.Join(root, dir, "testlist")); err == nil {
			return file, nil
		}
	}
	return nil, fmt.Errorf("the suite has no directory %s: %w", dir, err)
}

// read reads the testlist of a directory and of those that it names. Lines that differ only in settings of MPICH's own
// (MPIR_CVAR_...) are one test, as no other library reads those.
func (l lists) read(dir string) ([]test, error) {
	file, err := l.open(dir)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var tests []test
	seen := make(map[string]bool)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "!") {
			continue
		}
		if info, err := os.Stat(filepath.Join(l[0], dir, fields[0])); err == nil && info.IsDir() {
			below, err := l.read(path.Join(dir, fields[0]))
			if err != nil {
				return nil, err
			}
			tests = append(tests, below...)
			continue
		}
		t := parseTest(dir, fields)
		if name := t.name(); !seen[name] {
			seen[name] = true
			tests = append(tests, t)
		}
	}
	return tests, nil
}

// parseTest reads one line: a program, its number of ranks, and settings, each KEY=VALUE. What other keys there are
// concern MPICH's own script.
func parseTest(dir string, fields []string) test {
	t := test{dir: dir, program: fields[0], ranks: defaultRanks, limit: defaultLimit}
	for _, field := range fields[1:] {
		key, value, found := strings.Cut(field, "=")
		number, err := strconv.ParseFloat(value, 64)
		switch {
		case !found:
			if ranks, err := strconv.Atoi(key); err == nil {
				t.ranks = ranks
			}
		case key == "arg":
			t.args = append(t.args, value)
		case key == "env" && !strings.HasPrefix(value, "MPIR_"):
			t.env = append(t.env, value)
		case key == "timeLimit" && err == nil:
			t.limit = time.Duration(number * float64(time.Second))
		case key == "mem" && err == nil:
			t.memory = number
		case key == "resultTest":
			t.judge = value
		case key == "mpiexecarg" && value == "-disable-auto-cleanup":
			t.survives = true
		case key == "strict" && dir == "ft": // failure mitigation is not in the standard, but here
		case key == "strict" && strings.EqualFold(value, "false"), key == "mpix" && strings.EqualFold(value, "true"):
			t.extension = true
		}
	}
	return t
}

// choose reads the tests of directories, or those of a directory whose programs match a pattern.
func (l lists) choose(dirs []string) ([]test, error) {
	var all []test
	for _, dir := range dirs {
		pattern := "*"
		if file, err := l.open(dir); err == nil {
			_ = file.Close()
		} else {
			dir, pattern = path.Split(dir)
			dir = path.Clean(dir)
		}
		tests, err := l.read(dir)
		if err != nil {
			return nil, err
		}
		tests = slices.DeleteFunc(tests, func(t test) bool {
			matched, err := path.Match(pattern, t.program)
			return err != nil || !matched
		})
		if len(tests) == 0 {
			return nil, fmt.Errorf("directory %s of the suite has no program %s", dir, pattern)
		}
		all = append(all, tests...)
	}
	return all, nil
}
