package worker

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
)

// Main is the main function of a worker process that knows transports by name. It does not
// return.
func Main(transports map[string]link.Transport) {
	signal.Ignore(os.Interrupt) // the process that started this one ends it
	err := serve(os.Stdin, os.Stdout, transports)
	if err != nil {
		fmt.Fprintf(os.Stderr, "sctpbench: worker: %v\n", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve answers requests until there are no more. Then it returns at once, even if a request is
// being handled.
func serve(in io.Reader, out io.Writer, transports map[string]link.Transport) error {
	requests, ended := make(chan Request), make(chan error, 2)
	go func() {
		d := json.NewDecoder(in)
		for {
			var r Request
			if err := d.Decode(&r); err != nil {
				if err == io.EOF {
					err = nil
				}
				ended <- err
				return
			}
			requests <- r
		}
	}()
	go func() {
		s := server{out: json.NewEncoder(out), transports: transports}
		for r := range requests {
			reply, err := s.do(r)
			if err != nil {
				reply.Error = err.Error()
			}
			if err := s.out.Encode(reply); err != nil {
				ended <- err
				return
			}
		}
	}()
	return <-ended
}

// server handles requests. It has one link, and possibly idle ones.
type server struct {
	out        *json.Encoder
	transports map[string]link.Transport
	link       link.Link
	initiator  bool
	idle       io.Closer
}

func (s *server) do(r Request) (reply Reply, err error) {
	switch r.Action {
	case Listen, Dial, DialIdle:
		t, ok := s.transports[r.Transport]
		if !ok {
			return reply, fmt.Errorf("there is no transport %q, but %q", r.Transport, slices.Sorted(maps.Keys(s.transports)))
		}
		return reply, s.connect(t, r)
	case Heap:
		return Reply{HeapBytes: heap()}, nil
	}
	if s.link == nil {
		return reply, fmt.Errorf("%s: there is no link", r.Action)
	}
	switch r.Action {
	case Latency, Throughput:
		return s.measure(r)
	case AcceptIdle:
		acceptor, ok := s.link.(link.IdleAcceptor)
		if !ok {
			return reply, fmt.Errorf("transport %T accepts no idle links", s.link)
		}
		return reply, acceptor.AcceptIdle(r.Count)
	}
	return reply, fmt.Errorf("there is no action %q", r.Action)
}

// connect makes the link, or idle links.
func (s *server) connect(t link.Transport, r Request) (err error) {
	switch r.Action {
	case Listen:
		s.link, err = t.Listen(r.Options, func(addr string) {
			_ = s.out.Encode(Reply{Addr: addr}) // if it fails, the next reply fails too
		})
	case Dial:
		s.initiator = true
		s.link, err = t.Dial(r.Options, r.Addr)
	case DialIdle:
		dialer, ok := t.(link.IdleDialer)
		if !ok {
			return fmt.Errorf("transport %s makes no idle links", r.Transport)
		}
		s.idle, err = dialer.DialIdle(r.Addr, r.Count)
	}
	return err
}

func (s *server) measure(r Request) (reply Reply, err error) {
	runtime.GC() // so that it does not run during the measurement, if possible
	if r.Action == Throughput {
		reply.Elapsed, err = link.Throughput(s.link, s.initiator, r.Size, r.Count)
		return reply, err
	}
	trips, elapsed, err := link.Latency(s.link, s.initiator, r.Size, r.Count)
	if err != nil || len(trips) == 0 {
		return reply, err
	}
	p50, p99 := percentiles(trips)
	return Reply{Elapsed: elapsed, P50: p50, P99: p99}, nil
}

// percentiles returns the 50th and the 99th percentile: each is one of the values (the nearest
// rank).
func percentiles(values []time.Duration) (p50, p99 time.Duration) {
	sorted := make([]float64, len(values))
	for i, v := range values {
		sorted[i] = float64(v)
	}
	slices.Sort(sorted)
	at := func(p float64) time.Duration { return time.Duration(stat.Quantile(p, stat.Empirical, sorted, nil)) }
	return at(0.5), at(0.99)
}

// heap returns how many bytes live objects have on the heap. It takes two collections, as
// finalizers and pools free their memory in the second.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
