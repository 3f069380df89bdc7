package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// log is what a run says: on standard output what a reader wants to know, in a file all.
type log struct {
	file     *os.File
	terminal bool
	shown    bool // a line of progress, which the next line replaces
}

func newLog(s settings) (*log, error) {
	path := filepath.Join(s.work, "log-"+s.library+"-"+s.transport+".txt")
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	stdout, err := os.Stdout.Stat()
	l := &log{file: file, terminal: err == nil && stdout.Mode()&os.ModeCharDevice != 0}
	l.say("everything is in %s", path)
	return l, nil
}

func (l *log) close() {
	l.clear()
	_ = l.file.Close()
}

// say writes a line to both.
func (l *log) say(format string, args ...any) {
	l.clear()
	text := fmt.Sprintf(format, args...)
	fmt.Println(text)
	fmt.Fprintln(l.file, text)
}

// progress shows what is being done, on a terminal only.
func (l *log) progress(format string, args ...any) {
	if !l.terminal {
		return
	}
	l.clear()
	text := fmt.Sprintf(format, args...)
	fmt.Print(text[:min(len(text), 100)])
	l.shown = true
}

func (l *log) clear() {
	if l.shown {
		fmt.Print("\r\x1b[K")
		l.shown = false
	}
}

// result notes how a test has ended. Standard output gets those that are not as expected.
func (l *log) result(r result) {
	name := r.test.name()
	switch unexpected := r.unexpected(); {
	case unexpected != "":
		l.say("%s: %s", name, unexpected)
	case r.skipped != "":
		fmt.Fprintf(l.file, "%s: skipped: %s\n", name, r.skipped)
	case r.failure != "":
		fmt.Fprintf(l.file, "%s: fails as expected (%s): %s\n", name, r.expected.reason, r.failure)
	default:
		fmt.Fprintf(l.file, "%s: passes, %.2f s\n", name, r.outcome.took.Seconds())
	}
	if r.failure != "" && r.outcome.output != "" {
		fmt.Fprintf(l.file, "  status %d, %.2f s\n", r.outcome.status, r.outcome.took.Seconds())
		for line := range strings.Lines(r.outcome.output) {
			fmt.Fprintf(l.file, "  | %s\n", strings.TrimRight(line, "\n"))
		}
	}
}

// table shows the results by directory.
func (l *log) table(t *tally) {
	l.say("%-10s %8s %6s %8s %10s %8s", "directory", "applies", "passes", "rate", "unexpected", "skipped")
	for _, c := range t.dirs {
		l.say("%-10s %8d %6d %7.1f%% %10d %8d", c.dir, c.applies, c.passed, 100*float64(c.passed)/float64(max(1, c.applies)), c.unexpected, c.skipped)
	}
}
