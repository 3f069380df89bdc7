package trial

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
)

// Site is where jobs run. It keeps its networks from one to the next. Not for several goroutines.
type Site struct {
	programs Programs
	networks map[shape]*netem.Topology
	usual    map[string]string // what settings were before a job has changed them
	floors   map[*netem.Topology]time.Duration
}

// shape is what tells networks apart.
type shape struct{ hosts, links int }

// NewSite returns a site; Close removes its networks.
func NewSite(p Programs) *Site {
	return &Site{programs: p, networks: map[shape]*netem.Topology{}, usual: map[string]string{}, floors: map[*netem.Topology]time.Duration{}}
}

// Capable says what this host, or lab, lacks to run experiments.
func Capable() error {
	t, err := netem.Star(2)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := t.Apply(netem.Conditions{Delay: time.Millisecond}); err != nil {
		return err
	}
	return t.Host(0).Do(func() error {
		if err := prepare(); err != nil {
			return err
		}
		return kernel.Probe()
	})
}

// Run runs a job and returns what it has measured. The error wraps ErrTimeout if the job took too long, and is the cause of
// ctx if that has ended.
func (s *Site) Run(ctx context.Context, cell plan.Cell) (map[string]float64, error) {
	network, err := s.network(shape{max(2, cell.Case.Hosts), max(1, cell.Case.Links)})
	if err != nil {
		return nil, err
	}
	settings := maps.Clone(cell.Case.Sysctls)
	if settings == nil {
		settings = map[string]string{}
	}
	maps.Copy(settings, cell.Variant.Sysctls)
	if err := errors.Join(s.set(network, settings), s.setFloor(network, cell.Variant.TCPFloor)); err != nil {
		return nil, err
	}
	changes, err := s.changes(ctx, network, cell.Case)
	if err != nil {
		return nil, errors.Join(err, changes.end())
	}
	enter := func(rank int) []string {
		return network.Host(rank%network.Hosts()).Command(ctx, s.programs.Rank).Args[:3]
	}
	// The kernel ends mpirun when the thread that has started it ends, see dieWithParent.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	metrics, err := s.programs.job(ctx, cell, enter, changes.begin)
	return metrics, errors.Join(err, changes.end())
}

// network returns the network of a shape.
func (s *Site) network(which shape) (*netem.Topology, error) {
	if n := s.networks[which]; n != nil {
		return n, nil
	}
	n, err := netem.Dual()
	if which.links == 1 {
		n, err = netem.Star(which.hosts)
	}
	if err != nil {
		return nil, err
	}
	if err := prepareAll(n); err != nil {
		n.Close()
		return nil, err
	}
	s.networks[which] = n
	return n, nil
}

// Close removes the networks.
func (s *Site) Close() error {
	var errs []error
	for _, n := range s.networks {
		errs = append(errs, n.Close())
	}
	clear(s.networks)
	return errors.Join(errs...)
}

// hostSettings are those of each host, beside the kernel's defaults. TCP would begin a job with what it has learnt from the
// one before; SCTP would share one buffer among all associations.
var hostSettings = map[string]string{
	"net/ipv4/tcp_no_metrics_save": "1",
	"net/sctp/sndbuf_policy":       "1",
	"net/sctp/rcvbuf_policy":       "1",
}

// prepareAll sets up the hosts of a network.
func prepareAll(n *netem.Topology) error {
	for i := range n.Hosts() {
		if err := n.Host(i).Do(prepare); err != nil {
			return err
		}
	}
	return nil
}

// prepare sets up the calling thread's host.
func prepare() error {
	return write(hostSettings)
}

// dieWithParent has a process interrupted, upon which mpirun ends its job, when the thread that has started it ends.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM, Setpgid: true}
}
