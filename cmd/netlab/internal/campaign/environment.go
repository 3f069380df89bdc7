package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Environment is what results depend on beside the plan.
type Environment struct {
	Started time.Time
	Command string
	Quick   bool
	Seed    uint64
	// Experiments and Transports are what was asked for, by names; no transports are all.
	Experiments, Transports []string
	// Rounds, unless 0, is the number of rounds in place of that of each experiment.
	Rounds     int
	Time       time.Duration // of each experiment, unless 0, in place of its own
	Build      string        // see Build
	Where      string        // the host, or a lab
	Kernel     string
	Processors int
	OpenFiles  string // soft and hard limit
	Go         string
	Version    string
	Settings   []Setting
}

// Setting is one of the kernel's.
type Setting struct{ Name, Value string }

// EnvironmentFile is that of the environment within a run's directory.
const EnvironmentFile = "environment.json"

// settings are those of the kernel that matter, below /proc/sys. Experiments change net.ipv4.tcp_no_metrics_save,
// net.sctp.sndbuf_policy and net.sctp.rcvbuf_policy to 1.
var settings = []string{
	"net/core/rmem_max", "net/core/wmem_max", "net/core/default_qdisc",
	"net/ipv4/tcp_congestion_control", "net/ipv4/tcp_rmem", "net/ipv4/tcp_wmem", "net/ipv4/tcp_sack", "net/ipv4/tcp_dsack",
	"net/ipv4/tcp_recovery", "net/ipv4/tcp_early_retrans", "net/ipv4/tcp_frto", "net/ipv4/tcp_ecn", "net/ipv4/tcp_timestamps",
	"net/ipv4/tcp_slow_start_after_idle",
	"net/sctp/sctp_rmem", "net/sctp/sctp_wmem", "net/sctp/rto_min", "net/sctp/rto_initial", "net/sctp/sack_timeout",
}

// Describe describes this host, or lab.
func Describe(command []string, quick bool, seed uint64) Environment {
	e := Environment{
		Started: time.Now().UTC().Round(time.Second), Command: strings.Join(command, " "), Quick: quick, Seed: seed,
		Where: "this host", Processors: runtime.NumCPU(), Go: runtime.Version(), Version: rpi.Version(), OpenFiles: openFiles(),
	}
	if lab.Inside() {
		e.Where = "a lab: User Mode Linux, see docs/lab.md"
	}
	if text, err := os.ReadFile("/proc/version"); err == nil {
		e.Kernel = strings.TrimSpace(string(text))
	}
	for _, name := range settings {
		if text, err := os.ReadFile(filepath.Join("/proc/sys", name)); err == nil {
			e.Settings = append(e.Settings, Setting{strings.ReplaceAll(name, "/", "."), strings.Join(strings.Fields(string(text)), " ")})
		}
	}
	return e
}

// openFiles is the limit of open files, as /proc has it.
func openFiles() string {
	text, _ := os.ReadFile("/proc/self/limits") // not there on other systems
	for line := range strings.Lines(string(text)) {
		if rest, found := strings.CutPrefix(line, "Max open files"); found {
			return strings.Join(strings.Fields(rest), " ")
		}
	}
	return "unknown"
}

// Keep writes the environment to a run's directory. If there is one already, because the run is resumed, it must agree in
// what the order and size of jobs depend on, and stays.
func (e Environment) Keep(dir string) error {
	before, err := ReadEnvironment(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		if err := before.agrees(dir, e); err != nil {
			return err
		}
		// The rest stays as it was.
		before.Experiments = union(before.Experiments, e.Experiments)
		if len(before.Transports) == 0 || len(e.Transports) == 0 {
			before.Transports = nil
		} else {
			before.Transports = union(before.Transports, e.Transports)
		}
		before.Rounds = max(before.Rounds, e.Rounds)
		e = before
	}
	text, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, EnvironmentFile), append(text, '\n'), 0o644)
}

func union(a, b []string) []string {
	for _, name := range b {
		if !slices.Contains(a, name) {
			a = append(a, name)
		}
	}
	return a
}

// ReadEnvironment reads the environment of a run.
func ReadEnvironment(dir string) (e Environment, err error) {
	name := filepath.Join(dir, EnvironmentFile)
	text, err := os.ReadFile(name)
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return e, fmt.Errorf("%s: %w", name, err)
	}
	return e, nil
}
