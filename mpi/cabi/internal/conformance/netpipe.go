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
// that it measures.
func runNetpipe(ctx context.Context, b *bench) error {
	if err := needs("NPmpich2", "netpipe-mpich2"); err != nil {
		return err
	}
	args := []string{"NPmpich2", "-o", "sizes.txt"}
	if b.short {
		args = append(args, "-u", "131072", "-n", "10")
	}
	if _, err := b.launch(ctx, "reference", "shm", 2, args...); err != nil {
		return err
	}
	reference, err := b.netpipeSizes()
	if err != nil {
		return err
	}
	var failures []error
	for _, transport := range []string{"shm", "sctp-engine", "tcp-perpair"} {
		if _, err := b.launch(ctx, "mpich-abi", transport, 2, args...); err != nil {
			failures = append(failures, err)
			continue
		}
		sizes, err := b.netpipeSizes()
		if err == nil && !slices.Equal(sizes, reference) {
			err = fmt.Errorf("NetPIPE over %s measures %d sizes, over Debian's MPICH %d others", transport, len(sizes), len(reference))
		}
		if err != nil {
			failures = append(failures, err)
			continue
		}
		b.log.say("netpipe over %s: %d sizes, up to %s bytes, as over Debian's MPICH", transport, len(sizes), sizes[len(sizes)-1])
	}
	return errors.Join(failures...)
}

// netpipeSizes reads what a run has measured: sizes in the first column.
func (b *bench) netpipeSizes() (sizes []string, err error) {
	path := filepath.Join(b.folder, "sizes.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 0 {
			sizes = append(sizes, fields[0])
		}
	}
	if len(sizes) == 0 {
		return nil, fmt.Errorf("NetPIPE has ended well, but has measured nothing: %s", path)
	}
	return sizes, os.Remove(path)
}
