package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// runNetpipe runs Debian's binary of NetPIPE over Debian's MPICH and over each transport here, and compares the sizes
// that it measures. Over MPICH each is sent but a few times, as that is enough to know the sizes.
func runNetpipe(ctx context.Context, b *bench) error {
	if err := needs("NPmpich2", "netpipe-mpich2"); err != nil {
		return err
	}
	few := []string{"-n", "10"}
	args := []string{"NPmpich2", "-o", "sizes.txt"}
	if b.short {
		args = append(args, "-u", "131072")
	}
	if _, err := b.launch(ctx, reference, "shm", 2, append(slices.Clone(args), few...)...); err != nil {
		return err
	}
	reference, err := b.readNetpipe()
	if err != nil {
		return err
	}
	if b.short {
		args = append(args, few...)
	}
	var failures []error
	for _, transport := range []string{"shm", "sctp-engine", "tcp-perpair"} {
		if _, err := b.launch(ctx, mpichABI, transport, 2, args...); err != nil {
			failures = append(failures, err)
			continue
		}
		m, err := b.readNetpipe()
		if err == nil && !slices.Equal(m.sizes, reference.sizes) {
			err = fmt.Errorf("NetPIPE over %s measures %d sizes, over Debian's MPICH %d others", transport, len(m.sizes), len(reference.sizes))
		}
		if err != nil {
			failures = append(failures, err)
			continue
		}
		b.log.say("netpipe over %s: %d sizes, up to %s bytes, as over Debian's MPICH; half a round trip %.2f µs, at most %.0f Mbit/s",
			transport, len(m.sizes), m.sizes[len(m.sizes)-1], m.latency*1e6, m.bandwidth)
	}
	return errors.Join(failures...)
}

// netpipeFigures are what a run of NetPIPE has measured.
type netpipeFigures struct {
	sizes     []string // in bytes, as it prints them
	latency   float64  // half a round trip of the smallest size, in s
	bandwidth float64  // the best of all sizes, in Mbit/s
}

// readNetpipe reads and removes the file of a run. Each line of it is a size, Mbit/s, and half a round trip in seconds.
func (b *bench) readNetpipe() (m netpipeFigures, err error) {
	path := filepath.Join(b.folder, "sizes.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		return m, err
	}
	for line := range strings.Lines(string(text)) {
		var size string
		var bandwidth, took float64
		if _, err := fmt.Sscan(line, &size, &bandwidth, &took); err != nil {
			return m, fmt.Errorf("%s: what is %q? it must be size, Mbit/s and seconds: %w", path, line, err)
		}
		if len(m.sizes) == 0 {
			m.latency = took
		}
		m.sizes, m.bandwidth = append(m.sizes, size), max(m.bandwidth, bandwidth)
	}
	if len(m.sizes) == 0 {
		return m, fmt.Errorf("NetPIPE has ended well, but has measured nothing: %s", path)
	}
	return m, os.Remove(path)
}
