package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/job"
	"github.com/sctpmpi/sctpmpi/cmd/internal/metrics"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// defaultGrace is how long ranks have between being asked to end and being killed, unless SCTPMPI_KILL_GRACE says.
const defaultGrace = time.Second

// defaultDeadlock is when ranks are first asked whether they are in a deadlock, unless SCTPMPI_DEADLOCK_CHECK says.
const defaultDeadlock = 5 * time.Second

// mostRanks is how many ranks the library can number.
const mostRanks = 1 << 24

// options are what the flags of one application context say.
type options struct {
	n       int
	exports []string
	dir     string
	abi     string
	ignored []string // options of other launchers without a meaning here

	// Those of the whole job, which only the first context may have.
	transport string
	label     bool
	verbose   bool
	stats     bool
	statsJSON string
	metrics   string
	token     string // the file that has it
	keepGoing bool
	trace     string
	profile   string
	timeout   time.Duration
	bind      string
	hosts     hostOptions
	everyone  []string // as exports, for all contexts
	dryRun    bool
}

// flagSet makes the flags of an application context. Flags end at the program.
func (o *options) flagSet(first bool) *pflag.FlagSet {
	fs := pflag.NewFlagSet("mpirun", pflag.ContinueOnError)
	fs.SortFlags = false
	fs.SetInterspersed(false)
	fs.Usage = func() {}
	fs.IntVarP(&o.n, "np", "n", 1, "start this many processes")
	fs.StringArrayVarP(&o.exports, "export", "x", nil, "set a variable in the environment of the ranks, `VAR[=VALUE]`;\n"+
		"those of this host inherit mpirun's; VAR alone has its value go along to other hosts")
	fs.StringVar(&o.dir, "wdir", "", "start the processes in this `directory`")
	fs.StringVar(&o.abi, "abi", "", "which ABI of MPI a C program needs, where its file does not tell: `std` (MPI-5), mpich or openmpi")
	if first {
		fs.StringVar(&o.transport, "transport", "", "have messages carried by this transport, as SCTPMPI_TRANSPORT=`name`")
		fs.BoolVar(&o.label, "label", false, "begin each line of output with \"[rank] \"")
		fs.BoolVar(&o.verbose, "verbose", false, "have ranks say why they share no memory with a peer, as SCTPMPI_DEBUG=1")
		fs.BoolVar(&o.stats, "stats", false, "print, when the job has ended, what the ranks have counted: messages and their lengths, waits, system calls")
		fs.StringVar(&o.statsJSON, "stats-json", "", "as --stats, and write all of each rank into this `file`, as JSON")
		fs.StringVar(&o.metrics, "serve-metrics", "", "show the job while it runs to Prometheus, and to browsers, at this `address`: PORT of the loopback interface,\n"+
			"HOST:PORT, or :PORT of all interfaces; all but loopback's need a token, which mpirun makes up and prints")
		fs.StringVar(&o.token, "metrics-token-file", "", "the token is in this `file`, which others may not read; then loopback needs it too")
		fs.BoolVar(&o.keepGoing, "keep-going", false, "a rank that dies does not end the job: the others are told, and go on (ULFM)")
		fs.StringVar(&o.trace, "trace", "", "record which calls wait, where and how long, in this `file`, which ui.perfetto.dev shows")
		fs.StringVar(&o.profile, "profile", "", "have each rank in Go write a CPU profile into this `folder`, and join them, for go tool pprof")
		fs.DurationVar(&o.timeout, "timeout", 0, "end the job after this `duration`, such as 90s or 1h30m, with status 124")
		fs.StringArrayVar(&o.everyone, "export-all", nil, "as --export, for the ranks of all programs")
		o.hosts.addTo(fs)
		fs.StringVar(&o.bind, "bind-to", "none", "`core`: each rank runs on cores of its own, on each host; none: where the system likes")
		fs.BoolVar(&o.dryRun, "dry-run", false, "only print which ranks would run where, and by which commands")
		fs.BoolP("help", "h", false, "show this text")
	}
	return fs
}

// parse makes a job of a command line.
func parse(args []string, lookup func(string) (string, bool)) (job.Spec, error) {
	spec := job.Spec{Grace: defaultGrace, Deadlock: defaultDeadlock}
	for name, value := range map[string]*time.Duration{rpi.EnvKillGrace: &spec.Grace, rpi.EnvDeadlock: &spec.Deadlock} {
		if text, ok := lookup(name); ok {
			d, err := time.ParseDuration(text)
			if err != nil || d < 0 {
				return spec, fmt.Errorf("%s=%s is not a duration such as 500ms", name, text)
			}
			*value = d
		}
	}
	var hosts hostOptions
	var everyone, ignored []string
	for first := true; ; first = false {
		var o options
		program, rest, err := o.parse(args, first)
		if err != nil {
			return spec, err
		}
		if first {
			spec.Transport, spec.Label, spec.Verbose, spec.Timeout = o.transport, o.label, o.verbose, o.timeout
			spec.Statistics, spec.KeepGoing = o.stats || o.statsJSON != "", o.keepGoing
			spec.StatisticsFile = o.statsJSON
			if err := o.show(&spec); err != nil {
				return spec, err
			}
			if o.trace != "" {
				if spec.Trace, err = filepath.Abs(o.trace); err != nil {
					return spec, err
				}
			}
			if o.profile != "" {
				if spec.Profile, err = filepath.Abs(o.profile); err != nil {
					return spec, err
				}
			}
			spec.Bind = o.bind == "core"
			spec.DryRun, hosts, everyone = o.dryRun, o.hosts, o.everyone
		}
		ignored = append(ignored, o.ignored...)
		o.exports = slices.Concat(everyone, o.exports)
		app, err := o.app(program, lookup)
		if err != nil {
			return spec, err
		}
		spec.Apps = append(spec.Apps, app)
		if rest == nil {
			break
		}
		args = rest
	}
	if len(ignored) > 0 {
		spec.Notes = append(spec.Notes, "ignored, as it is for other launchers: "+strings.Join(ignored, ", "))
	}
	if err := hosts.place(&spec); err != nil {
		return spec, err
	}
	return spec, findPrograms(&spec)
}

// parse reads one application context. It returns the program with its arguments, and what follows the colon, nil if
// there is none.
func (o *options) parse(args []string, first bool) (program, rest []string, err error) {
	fs := o.flagSet(first)
	args, o.ignored, err = ownWords(fs, args)
	if err != nil {
		return nil, nil, err
	}
	if err := fs.Parse(args); err != nil {
		return nil, nil, plain(err)
	}
	if help := fs.Lookup("help"); help != nil && help.Changed {
		return nil, nil, pflag.ErrHelp
	}
	program = fs.Args()
	for i, arg := range program {
		if arg == ":" {
			program, rest = program[:i], program[i+1:]
			break
		}
	}
	switch {
	case len(program) == 0:
		return nil, nil, errors.New("no program given")
	case o.n < 1:
		return nil, nil, fmt.Errorf("-n %d: a job needs at least one process", o.n)
	case o.n > mostRanks:
		return nil, nil, fmt.Errorf("-n %d: a job has %d processes at most", o.n, mostRanks)
	case fs.Changed("transport") && o.transport == "":
		return nil, nil, errors.New("--transport needs a name")
	case fs.Changed("serve-metrics") && o.metrics == "":
		return nil, nil, errors.New("--serve-metrics needs an address, such as 9100")
	case fs.Lookup("bind-to") != nil && o.bind != "core" && o.bind != "none":
		return nil, nil, fmt.Errorf("--bind-to %s: there are core and none", o.bind)
	case fs.Changed("ppn") && o.hosts.perHost < 1:
		return nil, nil, fmt.Errorf("--ppn %d: a host has at least one slot", o.hosts.perHost)
	case fs.Changed("timeout") && o.timeout <= 0:
		return nil, nil, fmt.Errorf("--timeout %v: it must be longer than nothing", o.timeout)
	}
	return program, rest, nil
}

// show has the job shown while it runs, if the flags say so.
func (o *options) show(spec *job.Spec) error {
	switch {
	case o.metrics != "":
		config, err := metrics.Parse(o.metrics, o.token)
		if err != nil {
			return err
		}
		spec.Show = metrics.New(config)
	case o.token != "":
		return errors.New("--metrics-token-file is for --serve-metrics")
	}
	return nil
}

// plain is the error of a value without the words of the package that has parsed it.
func plain(err error) error {
	wrong, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	flag := "--" + wrong.GetFlag().Name
	if short := wrong.GetFlag().Shorthand; short != "" {
		flag = "-" + short
	}
	switch wrong.GetFlag().Value.Type() {
	case "int":
		return fmt.Errorf("%s %s: it must be a number", flag, wrong.GetValue())
	case "duration":
		return fmt.Errorf("%s %s: it must be a duration, such as 90s or 1h30m", flag, wrong.GetValue())
	}
	return err
}

// app makes an application context of the options and a program with its arguments.
func (o *options) app(program []string, lookup func(string) (string, bool)) (job.App, error) {
	app := job.App{N: o.n, Name: program[0], Args: program, Dir: o.dir}
	for _, setting := range o.exports {
		name, _, hasValue := strings.Cut(setting, "=")
		if name == "" {
			return app, fmt.Errorf("-x %s: no variable given", setting)
		}
		if process.Reserved(name) {
			return app, fmt.Errorf("-x %s: mpirun itself sets this variable", name)
		}
		if !hasValue {
			value, ok := lookup(name)
			if !ok {
				return app, fmt.Errorf("-x %s: not set in the environment of mpirun; give it a value by -x %[1]s=VALUE", name)
			}
			setting = name + "=" + value
		}
		app.Env = append(app.Env, setting)
	}
	if o.abi != "" {
		app.ABI = o.abi
		if err := process.CheckABI(o.abi); err != nil {
			return app, err
		}
	}
	return app, nil
}

// findPrograms finds the programs and directories of the ranks that run on this host. Those of others are looked for there.
func findPrograms(spec *job.Spec) error {
	number := 0
	for i := range spec.Apps {
		app := &spec.Apps[i]
		path, err := process.Find(app.Name)
		if err == nil {
			app.Path, err = path, checkDirectory(app.Dir)
		}
		if runsHere(spec, number, app.N) {
			if err == nil {
				var note string
				if app.Libraries, note, err = process.Libraries(app.ABI, app.Path, slices.Concat(os.Environ(), app.Env)); note != "" {
					spec.Notes = append(spec.Notes, note)
				}
			}
			if err != nil {
				return err
			}
		}
		if app.Path == "" && strings.Contains(app.Name, "/") { // the same file on the other hosts
			if app.Path, err = filepath.Abs(app.Name); err != nil {
				return err
			}
		}
		number += app.N
	}
	return nil
}

// runsHere reports whether one of n ranks from first on runs on this host.
func runsHere(spec *job.Spec, first, n int) bool {
	if len(spec.Hosts) == 0 {
		return true
	}
	for _, host := range spec.Hosts {
		if host.Local && slices.ContainsFunc(host.Ranks, func(rank int) bool { return rank >= first && rank < first+n }) {
			return true
		}
	}
	return false
}

func checkDirectory(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("--wdir: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("--wdir: %s is not a directory", dir)
	}
	return nil
}
