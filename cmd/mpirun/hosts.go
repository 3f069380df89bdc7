package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/hosts"
	"github.com/sctpmpi/sctpmpi/cmd/internal/job"
	"github.com/sctpmpi/sctpmpi/cmd/internal/proxy"
)

// hostOptions say where the ranks run.
type hostOptions struct {
	list, file    string
	mapBy         string
	perHost       int
	oversubscribe bool
	agent, prefix string
	launchTimeout time.Duration
}

func (o *hostOptions) addTo(fs *pflag.FlagSet) {
	fs.StringVar(&o.list, "host", "", "run on these `hosts`, a:4,b:4 with the slots of each;\nwithout numbers they share the ranks")
	fs.StringVar(&o.file, "hostfile", "", "run on the hosts in this `file`, one a line: a:4 or a slots=4")
	fs.IntVar(&o.perHost, "ppn", 0, "each host has this `number` of slots, whatever the other options say")
	fs.StringVar(&o.mapBy, "map-by", string(hosts.BySlot), "fill one host after the other (`slot`), or give each a rank in turn (node)")
	fs.BoolVar(&o.oversubscribe, "oversubscribe", false, "start more ranks than there are slots")
	fs.StringVar(&o.agent, "launch-agent", "", "start mpirun on other hosts by this remote shell, a `command` (default ssh);\n"+
		"it gets two arguments more, the host and a command for a shell;\nwords with blanks are in quotes")
	fs.DurationVar(&o.launchTimeout, "launch-timeout", job.DefaultLaunchTimeout, "how long another host may take to start mpirun there, a `duration`")
	fs.StringVar(&o.prefix, "prefix", "", "mpirun is in bin in this `directory` on other hosts (default: where it is here,\nelse in PATH)")
}

// place has a job run on the hosts that the options name. Without any it runs on this one.
func (o *hostOptions) place(spec *job.Spec) error {
	if o.list == "" && o.file == "" {
		if o.agent != "" || o.prefix != "" || o.launchTimeout != job.DefaultLaunchTimeout {
			return errors.New("--launch-agent, --launch-timeout and --prefix need --host or --hostfile")
		}
		return hosts.Policy(o.mapBy).Check()
	}
	spec.LaunchTimeout = o.launchTimeout
	list, err := o.read()
	if err != nil {
		return err
	}
	for i := range list {
		if o.perHost > 0 {
			list[i].Slots = o.perHost
		}
	}
	size := 0
	for _, app := range spec.Apps {
		size += app.N
	}
	places, err := list.Place(size, hosts.Policy(o.mapBy), o.oversubscribe)
	if err != nil {
		return err
	}
	spec.Hosts = make([]job.Host, len(list))
	for i, host := range list {
		spec.Hosts[i] = job.Host{Name: host.Name, Local: hosts.IsLocal(host.Name)}
	}
	for rank, at := range places {
		spec.Hosts[at].Ranks = append(spec.Hosts[at].Ranks, rank)
	}
	spec.Hosts = used(spec.Hosts)
	spec.Shell, err = o.shell()
	return err
}

// read reads the hosts of both options.
func (o *hostOptions) read() (hosts.List, error) {
	if o.list != "" && o.file != "" {
		return nil, errors.New("--host and --hostfile: only one of them can say where the ranks run")
	}
	if o.file != "" {
		list, err := hosts.ReadFile(o.file)
		if err != nil {
			err = fmt.Errorf("--hostfile: %w", err)
		}
		return list, err
	}
	list, err := hosts.Parse(o.list)
	if err != nil {
		err = fmt.Errorf("--host: %w", err)
	}
	return list, err
}

// used are the hosts that have ranks. Names of this host are one.
func used(all []job.Host) []job.Host {
	var some []job.Host
	here := -1
	for _, host := range all {
		switch {
		case len(host.Ranks) == 0:
		case host.Local && here >= 0:
			some[here].Ranks = append(some[here].Ranks, host.Ranks...)
		default:
			if host.Local {
				here = len(some)
			}
			some = append(some, host)
		}
	}
	if here >= 0 {
		slices.Sort(some[here].Ranks)
	}
	return some
}

// shell is the remote shell, and where mpirun is on other hosts. It checks how long they have to answer, too.
func (o *hostOptions) shell() (proxy.Shell, error) {
	if o.launchTimeout <= 0 {
		return proxy.Shell{}, fmt.Errorf("--launch-timeout %v: it must be longer than nothing", o.launchTimeout)
	}
	words, err := proxy.Words(o.agent)
	if err == nil && o.agent != "" && len(words) == 0 {
		err = errors.New("it needs a command")
	}
	if err != nil {
		return proxy.Shell{}, fmt.Errorf("--launch-agent: %w", err)
	}
	shell := proxy.Shell{Agent: proxy.Agent(words)}
	if o.prefix != "" {
		shell.Mpirun, shell.Strict = filepath.Join(o.prefix, "bin", "mpirun"), true
		return shell, nil
	}
	self, err := os.Executable()
	shell.Mpirun = self
	return shell, err
}
