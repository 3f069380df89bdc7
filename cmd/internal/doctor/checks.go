package doctor

import (
	"context"
	"errors"
	"math"
	"net"
	"os"
	"os/exec"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/machine"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
)

// checks are those of this operating system.
func checks() []check {
	common := []check{
		{"machine", host},
		{"ranks", ranks},
		{"clock", clock},
		{"loopback", loopback},
		{"kernel SCTP", kernelSCTP},
		{"encryption", encryption},
	}
	return append(append(common, systemChecks()...), check{"name", name}, check{"other hosts", shell})
}

func host() Finding {
	return good("%v; ranks may use %d processors together", machine.This(), process.Processors())
}

// ranks says how many ranks this host allows.
func ranks() Finding {
	most := process.Most()
	if most < 2 {
		return bad(Broken, "the limit that is named", "%v", process.Check(2))
	}
	return good("limits and memory allow %d", most)
}

// A look at the clock belongs to each wait. By a system call, or by a clock that is no part of the processor, it takes
// as long as a message. See /sys/devices/system/clocksource of Linux.
const slowClock = 300 * time.Nanosecond

func clock() Finding {
	const looks = 2000
	least := time.Duration(math.MaxInt64)
	for range 5 { // other programs disturb some of them
		begun := time.Now()
		for range looks {
			_ = time.Now()
		}
		least = min(least, time.Since(begun)/looks)
	}
	if least > slowClock {
		return bad(Slow, "choose a clock that the processor has: /sys/devices/system/clocksource/clocksource0/available_clocksource",
			"a look at the clock takes %v%s", least, clockSource())
	}
	return good("a look takes %v%s", least, clockSource())
}

// loopback sends a datagram and makes a connection within this host.
func loopback() Finding {
	const patience = 5 * time.Second
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err == nil {
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(patience))
		if _, err = conn.WriteTo([]byte("x"), conn.LocalAddr()); err == nil {
			_, _, err = conn.ReadFrom(make([]byte, 8))
		}
	}
	if err != nil {
		return bad(Broken, "ip link set lo up, and let packets pass on it", "UDP on 127.0.0.1: %v", err)
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err == nil {
		defer listener.Close()
		var c net.Conn
		if c, err = net.DialTimeout("tcp4", listener.Addr().String(), patience); err == nil {
			c.Close()
		}
	}
	if err != nil {
		return bad(Broken, "let connections pass on lo", "TCP on 127.0.0.1: %v", err)
	}
	return good("UDP and TCP pass")
}

func kernelSCTP() Finding {
	err := kernel.Probe()
	switch {
	case err == nil:
		return good("there; sctp is sctp-kernel here")
	case errors.Is(err, errors.ErrUnsupported):
		return bad(Differ, "modprobe sctp, if the kernel has the module", "none; sctp is sctp-engine here, over UDP")
	}
	return bad(Differ, "docs/tuning.md says what sctp-kernel needs", "not usable (%v); sctp is sctp-engine here, over UDP", err)
}

func encryption() Finding {
	if !seal.HasAES() {
		return bad(Slow, "SCTPMPI_ENCRYPT=off in networks that are trusted", "the processor has no instructions for AES; ChaCha20-Poly1305 seals instead")
	}
	return good("the processor has instructions for AES")
}

// name looks up this host's name, by which --host knows it and other hosts reach it.
func name() Finding {
	const patience, slow = 10 * time.Second, time.Second
	own, err := os.Hostname()
	if err != nil {
		return bad(Differ, "hostname NAME", "this host has no name: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	begun := time.Now()
	addresses, err := net.DefaultResolver.LookupHost(ctx, own)
	took := time.Since(begun).Round(time.Millisecond)
	switch {
	case err != nil:
		return bad(Differ, "an entry in /etc/hosts or the name service, if the job has several hosts", "%s has no address: %v", own, err)
	case took > slow:
		return bad(Slow, "an entry in /etc/hosts", "to look up %s takes %v", own, took)
	}
	return good("%s is %s", own, addresses[0])
}

func shell() Finding {
	path, err := exec.LookPath("ssh")
	if err != nil {
		return bad(Differ, "install ssh, or name another remote shell by --launch-agent", "there is no ssh, by which --host starts ranks on other hosts")
	}
	return good("%s starts ranks there (--host)", path)
}
