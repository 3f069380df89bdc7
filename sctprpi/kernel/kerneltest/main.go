// Package kerneltest runs tests that need the kernel's SCTP: on this host if it has it,
// or else in the lab.
//
// The race detector does not fit the lab. Tests that use Main are for builds without:
//
//	//go:build !race && linux
package kerneltest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sctpmpi/sctpmpi/netem/lab"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
)

// UDPPort is where the lab's kernel takes packets in UDP (RFC 6951).
const UDPPort = 9899

// settings are what prepare sets.
var settings = map[string]int{
	"sndbuf_policy": 1, "rcvbuf_policy": 1, "intl_enable": 1, "udp_port": UDPPort,
}

// Main is for a TestMain. It runs the tests and exits. If there is neither SCTP nor a
// lab, it says so, in one line, and runs none; with SCTPMPI_REQUIRE_LAB=1 that is a failure.
func Main(m *testing.M) {
	if !lab.Inside() && kernel.Probe() == nil {
		os.Exit(m.Run())
	}
	MainInLab(m)
}

// MainInLab is Main for tests that make networks, which takes root and belongs in the lab
// even where the host has SCTP.
func MainInLab(m *testing.M) {
	if !lab.Inside() {
		os.Exit(runInLab())
	}
	if err := prepare(); err != nil {
		fmt.Println("kernel SCTP suite:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// prepare sets what the kernel's SCTP needs in the calling thread's network namespace.
func prepare() error {
	for name, value := range settings {
		if err := setKernel(name, value); err != nil {
			return err
		}
	}
	return nil
}

// setKernel sets one of net.sctp in the calling thread's network namespace.
func setKernel(name string, value int) error {
	return os.WriteFile("/proc/sys/net/sctp/"+name, strconv.AppendInt(nil, int64(value), 10), 0)
}

// runInLab runs this program again, in the lab, and returns its exit status.
func runInLab() int {
	ctx, cancel := within()
	defer cancel()
	args := slices.DeleteFunc(slices.Clone(os.Args[1:]), writes)
	cmd := lab.Command(ctx, lab.Config{}, os.Args[0], args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err := cmd.Run()
	var failed *lab.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &failed):
		return max(failed.Code, 1)
	case errors.Is(err, lab.ErrUnavailable) && os.Getenv("SCTPMPI_REQUIRE_LAB") != "1":
		fmt.Println("kernel SCTP suite: not run:", err)
		return 0
	}
	fmt.Println("kernel SCTP suite:", err)
	return 1
}

// within returns a context that ends when the tests have taken longer than they may.
func within() (context.Context, context.CancelFunc) {
	flag.Parse()
	limit, _ := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration)
	if limit <= 0 {
		return context.WithCancel(context.Background())
	}
	// The tests themselves say more about what has taken so long.
	return context.WithTimeout(context.Background(), limit+10*time.Second)
}

// writes reports whether a flag has the program write a file, which it cannot in the lab.
func writes(arg string) bool {
	return strings.HasPrefix(arg, "-test.testlogfile") || strings.HasPrefix(arg, "-test.coverprofile") ||
		strings.HasPrefix(arg, "-test.gocoverdir")
}
