package trial

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Run runs the command to its end. The error is a lab.ExitError if it has failed, and the cause of ctx if that has ended.
func (e Emulation) Run(ctx context.Context) error {
	network, err := netem.Star(e.Hosts)
	if err != nil {
		return err
	}
	defer network.Close()
	if err := errors.Join(prepareAll(network), network.Apply(e.Conditions)); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("/tmp", "netlab-") // no directory with a blank in its name: mpirun divides its agent into words there
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var enter [][]string
	for i := range network.Hosts() {
		enter = append(enter, network.Host(i).Command(ctx, "sh").Args[:3])
	}
	hosts, shell := filepath.Join(dir, "hosts"), filepath.Join(dir, "agent")
	if err := os.WriteFile(hosts, []byte(hostfile(e.Hosts)), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(shell, []byte(agent(enter)), 0o755); err != nil {
		return err
	}
	words := arguments(e.Command, hosts, shell)
	c := network.Host(0).Command(ctx, words[0], words[1:]...)
	c.Stdin, c.Stdout, c.Stderr = e.Stdin, e.Stdout, e.Stderr
	c.Env = append(os.Environ(), HostfileVariable+"="+hosts, AgentVariable+"="+shell)
	for name, value := range map[string]string{rpi.EnvSharedMemory: "off", rpi.EnvInterface: "eth0"} {
		if _, set := os.LookupEnv(name); !set {
			c.Env = append(c.Env, name+"="+value)
		}
	}
	// The kernel ends the command when the thread that has started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = grace
	err = c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &exit):
		status := exit.Sys().(syscall.WaitStatus)
		if status.Signaled() {
			return &lab.ExitError{Signal: status.Signal()}
		}
		return &lab.ExitError{Code: status.ExitStatus()}
	}
	return err
}
