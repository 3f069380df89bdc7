package peer

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"runtime"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/link"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/stat"
)

// Main is the whole of a peer process that knows some transports by name. It does not
// return.
func Main(transports map[string]link.Transport) {
	signal.Ignore(os.Interrupt) // whoever has started this process ends it
	err := serve(os.Stdin, os.Stdout, transports)
	if err != nil {
		fmt.Fprintf(os.Stderr, "mpibench: peer: %v\n", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve answers requests until there are no more. Then it returns at once, whatever it
// is doing.
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

// server is a peer, and has one link at most.
type server struct {
	out        *json.Encoder
	transports map[string]link.Transport
	link       link.Link
	initiator  bool
	crowd      io.Closer
}

func (s *server) do(r Request) (reply Reply, err error) {
	switch r.Action {
	case Listen, Dial, Crowd:
		t, ok := s.transports[r.Transport]
		if !ok {
			return reply, fmt.Errorf("there is no transport %q, but %q", r.Transport, slices.Sorted(maps.Keys(s.transports)))
		}
		return reply, s.make(t, r)
	case Heap:
		return Reply{HeapBytes: heap()}, nil
	}
	if s.link == nil {
		return reply, fmt.Errorf("%s: there is no link", r.Action)
	}
	runtime.GC() // so that it does not happen while the clock runs, if that can be helped
	switch r.Action {
	case Latency:
		trips, elapsed, err := link.Latency(s.link, s.initiator, r.Size, r.Count)
		if err != nil || len(trips) == 0 {
			return reply, err
		}
		slices.Sort(trips)
		return Reply{Elapsed: elapsed, P50: stat.Percentile(trips, 50), P99: stat.Percentile(trips, 99)}, nil
	case Throughput:
		reply.Elapsed, err = link.Throughput(s.link, s.initiator, r.Size, r.Count)
		return reply, err
	case Admit:
		admitter, ok := s.link.(link.Admitter)
		if !ok {
			return reply, fmt.Errorf("a link of type %T is between two ends only", s.link)
		}
		return reply, admitter.Admit(r.Count)
	}
	return reply, fmt.Errorf("there is no action %q", r.Action)
}

// make makes a link, or many.
func (s *server) make(t link.Transport, r Request) (err error) {
	switch r.Action {
	case Listen:
		s.link, err = t.Listen(r.Options, func(addr string) {
			_ = s.out.Encode(Reply{Addr: addr}) // the next reply will fail too
		})
	case Dial:
		s.initiator = true
		s.link, err = t.Dial(r.Options, r.Addr)
	case Crowd:
		crowder, ok := t.(link.Crowder)
		if !ok {
			return fmt.Errorf("transport %s makes no crowd", r.Transport)
		}
		s.crowd, err = crowder.Crowd(r.Addr, r.Count)
	}
	return err
}

// heap returns how many bytes live objects have on the heap. Finalizers and pools let
// go of theirs only in the second collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
