package rank

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
	"github.com/sctpmpi/sctpmpi/cmd/internal/link/enginelink"
	"github.com/sctpmpi/sctpmpi/cmd/internal/link/tcplink"
	"github.com/sctpmpi/sctpmpi/cmd/internal/link/udplink"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// links carry messages without MPI, which has the two ranks find each other and does nothing else meanwhile.
var links = map[string]link.Transport{"engine": enginelink.Transport{}, "udp": udplink.Transport{}, "tcp": tcplink.Transport{}}

// Links returns their names, sorted.
func Links() []string { return slices.Sorted(maps.Keys(links)) }

// direct is an end of a link.
type direct struct {
	link.Link
	*session
}

// openLink links the first two ranks: rank 1 listens, at an address that it sends to rank 0.
func (s *session) openLink() (port, error) {
	t, known := links[s.Link]
	if !known || s.ranks != 2 {
		return nil, fmt.Errorf("%q between %d ranks: a flood without MPI is between two, over one of %q", s.Link, s.ranks, Links())
	}
	if s.first() {
		addr, _, err := mpi.RecvSlice[byte](s.world, 1, tagControl)
		if err != nil {
			return nil, err
		}
		l, err := t.Dial(link.Options{}, string(addr))
		return &direct{l, s}, err
	}
	var g errgroup.Group
	l, err := t.Listen(link.Options{}, func(addr string) {
		g.Go(func() error { return mpi.Send(s.world, []byte(addr), 0, tagControl) })
	})
	return &direct{l, s}, errors.Join(err, g.Wait())
}

// Begin sends all at once, or one after the other.
func (d *direct) Begin(n int) error {
	switch {
	case !d.first():
		return nil
	case d.Single:
		return repeat(n, func() error { return d.Send(d.Size, 1) })
	}
	return d.Send(d.Size, n)
}

// Complete has nothing to do for what has been sent: Send has waited until the memory may be used again.
func (d *direct) Complete(n int) error {
	if d.first() {
		return nil
	}
	return d.Receive(d.Size, n)
}

func (d *direct) Answer() error {
	if d.first() {
		return d.Receive(answerSize, 1)
	}
	return d.Send(answerSize, 1)
}

func (d *direct) close() error { return d.Close() }
