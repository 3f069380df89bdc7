// Command speed compares programs in C with programs in Go, both over this library: half the round trip of 8 bytes, and
// messages per second, between two ranks of this host. The program in C is that by which mpibench measures other libraries. With
// -threads it measures how threads of programs in C disturb each other instead.
// docs/c-programs.md says how to run it.
package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

const (
	programs = "../../cmd/mpibench/internal/othermpi/programs/*.c"
	duration = "0.15" // seconds of each measurement
	window   = 64     // messages in flight
)

// media are what carries messages.
var media = []struct {
	name string
	env  []string
}{
	{"shared memory", []string{"SCTPMPI_SHM=auto", "SCTPMPI_TRANSPORT=tcp-perpair"}},
	{"tcp-perpair", []string{"SCTPMPI_SHM=off", "SCTPMPI_TRANSPORT=tcp-perpair"}},
}

// figures are half a round trip in µs, and thousands of messages per second.
type figures struct{ latency, rate float64 }

func main() {
	bin := flag.String("bin", "../../bin", "the `folder` of mpicc, mpirun and mpibench")
	rounds := flag.Int("rounds", 7, "measure everything this `number` of times, in turn")
	mpicc := flag.String("mpicc", "", "the `compiler` of programs in C, such as mpicc.openmpi, unless it is that of bin")
	threads := flag.Bool("threads", false, "measure programs in C with several threads instead")
	flag.Parse()
	if *mpicc == "" {
		*mpicc = filepath.Join(*bin, "mpicc")
	}
	measure := run
	if *threads {
		measure = runThreads
	}
	if err := measure(*bin, *mpicc, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

func run(bin, mpicc string, rounds int) error {
	folder, err := os.MkdirTemp("", "speed")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "bench")
	sources, err := filepath.Glob(programs)
	if err != nil {
		return err
	}
	if _, err := output(nil, mpicc, append([]string{"-O2", "-o", program}, sources...)...); err != nil {
		return err
	}
	for _, medium := range media {
		var inC, inGo []figures
		for range rounds {
			c, err := measureC(bin, program, medium.env)
			if err != nil {
				return err
			}
			g, err := measureGo(bin, medium.env)
			if err != nil {
				return err
			}
			inC, inGo = append(inC, c), append(inGo, g)
		}
		c, g := medians(inC), medians(inGo)
		fmt.Printf("%-13s  half a round trip: C %.2f µs, Go %.2f µs, %+.2f µs   messages: C %.0f, Go %.0f thousand/s, ratio %.2f\n",
			medium.name, c.latency, g.latency, c.latency-g.latency, c.rate, g.rate, c.rate/g.rate)
	}
	return nil
}

// measureC runs the program in C. It prints a line of JSON for each of its works.
func measureC(bin, program string, env []string) (f figures, err error) {
	text, err := output(env, filepath.Join(bin, "mpirun"), "-n", "2", program, duration, "latency:8:0", fmt.Sprintf("flood:8:%d", window))
	if err != nil {
		return f, err
	}
	works, err := results(text, 2)
	if err != nil {
		return f, err
	}
	return figures{works[0].step() * 1e6 / 2, window / works[1].step() / 1e3}, nil
}

// work is what a program in C has printed of its work: steps, seconds, and the least seconds of a step, if it says that.
type work struct {
	Count float64 `json:"count"`
	Wall  float64 `json:"wall_s"`
	Least float64 `json:"least_s"`
}

func (w work) step() float64 { return w.Wall / w.Count }

// results are the works of a program in C, which are to be so many.
func results(text []byte, n int) (works []work, err error) {
	lines := json.NewDecoder(bytes.NewReader(text))
	for lines.More() {
		var w work
		if err := lines.Decode(&w); err != nil {
			return nil, err
		}
		works = append(works, w)
	}
	if len(works) != n {
		return nil, fmt.Errorf("the program in C has printed %d results instead of %d: %s", len(works), n, text)
	}
	return works, nil
}

// measureGo runs the same work of mpibench.
func measureGo(bin string, env []string) (f figures, err error) {
	if f.latency, err = mpibench(bin, env, "latency", "half_rtt_us"); err != nil {
		return f, err
	}
	f.rate, err = mpibench(bin, env, "rate", "msgs_s")
	f.rate /= 1e3
	return f, err
}

// mpibench is the first value that a command of mpibench gives for a figure.
func mpibench(bin string, env []string, command, figure string) (float64, error) {
	text, err := output(env, filepath.Join(bin, "mpibench"), command, "--size", "8", "--transport", "tcp-perpair",
		"--rounds", "1", "--duration", duration+"s", "--csv")
	if err != nil {
		return 0, err
	}
	reader := csv.NewReader(bytes.NewReader(text))
	reader.FieldsPerRecord = -1
	rows, err := reader.ReadAll()
	if err != nil {
		return 0, err
	}
	for _, row := range rows {
		if i := slices.Index(row, figure); i >= 0 && i+1 < len(row) {
			return strconv.ParseFloat(row[i+1], 64)
		}
	}
	return 0, fmt.Errorf("mpibench %s has no %s", command, figure)
}

// output is what a command writes.
func output(env []string, name string, args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	c := exec.Command(name, args...)
	c.Env, c.Stderr = append(os.Environ(), env...), &stderr
	text, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", filepath.Base(name), err, &stderr)
	}
	return text, nil
}

// medians of each figure.
func medians(all []figures) figures {
	return figures{median(all, func(f figures) float64 { return f.latency }), median(all, func(f figures) float64 { return f.rate })}
}

func median[F any](all []F, of func(f F) float64) float64 {
	slices.SortFunc(all, func(a, b F) int { return cmp.Compare(of(a), of(b)) })
	return of(all[len(all)/2])
}
