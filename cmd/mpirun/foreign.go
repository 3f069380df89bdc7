package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// foreign are options of other launchers (Open MPI's, MPICH's Hydra, Slurm's srun), by what they mean here.
type foreign struct {
	// names, without dashes; one dash or two begin them.
	names string
	// values is how many arguments belong to it.
	values int
	// ours are the words that say the same here, in which $1 and $2 stand for the values. None: it says what is so anyway.
	ours string
	// ignored: it has no meaning here, and the user is told.
	ignored bool
}

var foreignOptions = []foreign{
	{names: "c ntasks", values: 1, ours: "--np $1"},
	{names: "hosts H nodelist", values: 1, ours: "--host $1"},
	{names: "f machinefile", values: 1, ours: "--hostfile $1"},
	{names: "perhost", values: 1, ours: "--ppn $1"},
	{names: "env", values: 2, ours: "--export $1=$2"},
	{names: "genv", values: 2, ours: "--export-all $1=$2"},
	{names: "iface", values: 1, ours: "--export-all SCTPMPI_INTERFACE=$1"},
	{names: "l prepend-rank tag-output", ours: "--label"},
	{names: "wd cwd chdir", values: 1, ours: "--wdir $1"},
	{names: "bind-to-core", ours: "--bind-to core"},
	{names: "bind-to-none", ours: "--bind-to none"},
	{names: "bynode", ours: "--map-by node"},
	{names: "byslot", ours: "--map-by slot"},
	{names: "allow-run-as-root genvall envall u unbuffered kill-on-bad-exit"},
	{names: "mca gmca omca prtemca pmixmca", values: 2, ignored: true},
	{names: "mpi rmk bootstrap launcher am tune", values: 1, ignored: true},
	{names: "report-bindings display-map display-allocation use-hwthread-cpus nooversubscribe q quiet v", ignored: true},
}

// foreignOption finds an option of another launcher.
func foreignOption(name string) (foreign, bool) {
	i := slices.IndexFunc(foreignOptions, func(f foreign) bool { return slices.Contains(strings.Fields(f.names), name) })
	if i < 0 {
		return foreign{}, false
	}
	return foreignOptions[i], true
}

// say is the option in our words.
func (f foreign) say(values []string) []string {
	var replace []string
	for i, value := range values {
		replace = append(replace, fmt.Sprintf("$%d", i+1), value)
	}
	words := strings.Fields(f.ours)
	for i := range words {
		words[i] = strings.NewReplacer(replace...).Replace(words[i])
	}
	return words
}

// ownWords turns the flags of a command line into those of fs: options of other launchers, and long flags with one dash, which their
// users write (-np 4, -wdir /tmp). The ignored are options that have no meaning here, with their values.
func ownWords(fs *pflag.FlagSet, args []string) (words, ignored []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		if len(arg) < 2 || arg[0] != '-' || arg == "--" {
			break
		}
		args = args[1:]
		name, value, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if flag := lookup(fs, name); flag != nil {
			if len(name) > 1 && !strings.HasPrefix(arg, "--") {
				arg = "-" + arg
			}
			words = append(words, arg)
			if flag.NoOptDefVal == "" && !hasValue && len(args) > 0 {
				words, args = append(words, args[0]), args[1:]
			}
			continue
		}
		f, known := foreignOption(name)
		if !known {
			if clustered(fs, arg) {
				words = append(words, arg)
				continue
			}
			return nil, nil, unknown(arg, name)
		}
		var values []string
		if hasValue && f.values > 0 {
			values = append(values, value)
		}
		if missing := f.values - len(values); missing > len(args) {
			return nil, nil, fmt.Errorf("%s needs %d values", arg, f.values)
		} else if missing > 0 {
			values, args = append(values, args[:missing]...), args[missing:]
		}
		if f.ignored {
			ignored = append(ignored, strings.Join(append([]string{arg}, values...), " "))
			continue
		}
		said := f.say(values)
		if len(said) > 0 && fs.Lookup(said[0][2:]) == nil {
			return nil, nil, early(arg)
		}
		words = append(words, said...)
	}
	return append(words, args...), ignored, nil
}

func lookup(fs *pflag.FlagSet, name string) *pflag.Flag {
	if len(name) == 1 {
		return fs.ShorthandLookup(name)
	}
	return fs.Lookup(name)
}

// clustered: the word is a letter with its value, as in -n4.
func clustered(fs *pflag.FlagSet, arg string) bool {
	if strings.HasPrefix(arg, "--") {
		return false
	}
	flag := fs.ShorthandLookup(arg[1:2])
	return flag != nil && flag.NoOptDefVal == ""
}

// unknown says that there is no such option, with the most similar one.
func unknown(arg, name string) error {
	arg, _, _ = strings.Cut(arg, "=")
	whole := new(options).flagSet(true)
	if lookup(whole, name) != nil {
		return early(arg)
	}
	var known []string
	whole.VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	for _, f := range foreignOptions {
		known = append(known, strings.Fields(f.names)...)
	}
	if near, found := rpi.Nearest(name, known); found && len(name) > 1 {
		return fmt.Errorf("there is no option %s; did you mean --%s?", arg, near)
	}
	return fmt.Errorf("there is no option %s", arg)
}

// early says that an option comes too late.
func early(arg string) error {
	return fmt.Errorf("%s is for the whole job: it belongs before the first program", arg)
}
