// Package record keeps the results of jobs, one line of JSON each, as they come.
package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

// Status is how a job ended.
type Status string

// A job is done, or has failed with an error that it has said, or was ended because it took too long.
const (
	Done     Status = "done"
	Failed   Status = "failed"
	TimedOut Status = "timed out"
)

// Disturbed is the status of a job that is done but does not count, when results are read.
const Disturbed Status = "disturbed"

// Key names a job.
type Key struct {
	Experiment string `json:"experiment"`
	Case       string `json:"case"`
	Variant    string `json:"variant"`
	Round      int    `json:"round"`
}

// Result is what came of a job.
type Result struct {
	Key
	Factors    []plan.Factor      `json:"factors"`
	Conditions string             `json:"conditions"`
	Status     Status             `json:"status"`
	Error      string             `json:"error,omitempty"`
	Started    time.Time          `json:"started"`
	Seconds    float64            `json:"seconds"` // of the whole job, with its start and end
	Late       float64            `json:"late"`    // milliseconds that timers were late at worst: the machine was busy
	Metrics    map[string]float64 `json:"metrics,omitempty"`
}

// DisturbedBy is by how many milliseconds timers of a job must be late for its result to be disturbed: more than a quiet machine's are, in
// a lab too, and more than round trips and time-outs of retransmissions are.
const DisturbedBy = 250

// Disturbed reports whether others have disturbed the job so much that what it has measured says little of the network.
func (r *Result) Disturbed() bool {
	return r.Status == Disturbed || r.Status == Done && r.Doubtful()
}

// Doubtful reports whether timers were that late, however the job has ended: with more of the processors it might have ended otherwise.
func (r *Result) Doubtful() bool { return r.Late > DisturbedBy }

// FileName is that of the results within a run's directory.
const FileName = "results.jsonl"

// File is a file of results, which are added to it. Not for several goroutines.
type File struct {
	file    *os.File
	Results []Result     // in the order in which they came
	seen    map[Key]bool // those whose results stand
}

// Open opens the results of a directory, and makes the file if there is none. A last line that was cut off, by the end of a
// machine, is removed: its job has no result.
func Open(dir string) (*File, error) {
	results, whole, err := read(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, FileName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	if err = file.Truncate(whole); err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("results: %w", err)
	}
	f := &File{file: file, Results: results, seen: map[Key]bool{}}
	for _, r := range results {
		f.seen[r.Key] = !r.Disturbed() // which is run again when the run is resumed
	}
	return f, nil
}

// Read returns the results of a directory. Those that were disturbed have that status.
func Read(dir string) ([]Result, error) {
	results, _, err := read(dir)
	for i := range results {
		if results[i].Disturbed() {
			results[i].Status = Disturbed
		}
	}
	return results, err
}

// read returns the results and the length of the lines that are whole.
func read(dir string) (results []Result, whole int64, err error) {
	name := filepath.Join(dir, FileName)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, 0, fmt.Errorf("results: %w", err)
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		var r Result
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, 0, fmt.Errorf("results: %s, line %d: %w", name, number, err)
		}
		results = append(results, r)
	}
	return results, int64(len(data)), lines.Err()
}

// Has reports whether a job has a result. One that was disturbed in a run before this one has none.
func (f *File) Has(k Key) bool { return f.seen[k] }

// Add adds a result. It is in the file when Add returns.
func (f *File) Add(r Result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("results: %w", err)
	}
	if _, err := f.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	f.Results, f.seen[r.Key] = append(f.Results, r), true
	return nil
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
