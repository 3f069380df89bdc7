package guest

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/internal/wire"
)

// run runs the command. When it ends, so do all processes that it has left.
func run(spec *wire.Spec, in *gob.Decoder, out *replies) (*wire.Exit, error) {
	std, err := open(spec)
	if err != nil {
		return nil, err
	}
	pid, err := syscall.ForkExec(spec.Path, spec.Args, &syscall.ProcAttr{
		Dir:   spec.Dir,
		Env:   environment(spec.Env),
		Files: []uintptr{std.command[0].Fd(), std.command[1].Fd(), std.command[2].Fd()},
		Sys:   &syscall.SysProcAttr{Setsid: true, Setctty: spec.Terminal != nil},
	})
	std.closeCommand()
	if err != nil {
		return nil, &os.PathError{Op: "exec", Path: spec.Path, Err: err}
	}
	if err := out.send(wire.FromGuest{Begun: true}); err != nil {
		return nil, err
	}
	input := make(chan wire.ToGuest, wire.Credits+1) // and the end
	go feed(std.stdin, input, out)
	go receive(in, input, out)
	var output sync.WaitGroup
	output.Go(func() {
		pass(std.stdout, func(p []byte) error { return out.sendChunk(wire.FromGuest{Stdout: p}) })
	})
	if std.stderr != nil {
		output.Go(func() {
			pass(std.stderr, func(p []byte) error { return out.sendChunk(wire.FromGuest{Stderr: p}) })
		})
	}
	exit, err := reap(pid)
	if err != nil {
		return nil, err
	}
	output.Wait()
	return exit, nil
}

// adminDirs are where a system has programs for root, as which the command runs. Users may not have them in PATH.
const adminDirs = "/usr/local/sbin:/usr/sbin:/sbin"

// environment has the lab's own programs found first, and root's last.
func environment(env []string) []string {
	env = append([]string(nil), env...)
	for i, setting := range env {
		if path, ok := strings.CutPrefix(setting, "PATH="); ok {
			env[i] = "PATH=" + binDir + ":" + path + ":" + adminDirs
			return env
		}
	}
	return append(env, "PATH="+os.Getenv("PATH"))
}

// reap waits for the command, as the first process for all orphans, and at last for those that it kills.
func reap(command int) (*wire.Exit, error) {
	var exit *wire.Exit
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.ECHILD) && exit != nil:
			return exit, nil
		case err != nil:
			return nil, fmt.Errorf("wait: %w", err)
		case pid == command:
			exit = &wire.Exit{}
			if status.Signaled() {
				exit.Signal = int(status.Signal())
			} else {
				exit.Code = status.ExitStatus()
			}
			if err := syscall.Kill(-1, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				return nil, fmt.Errorf("kill: %w", err)
			}
		}
	}
}

// receive takes the host's messages. Without a host there is no use for the machine.
func receive(in *gob.Decoder, input chan<- wire.ToGuest, out *replies) {
	for {
		var m wire.ToGuest
		if in.Decode(&m) != nil {
			unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)
		}
		if m.Taken {
			<-out.credits
		} else {
			input <- m
		}
	}
}

// feed writes the host's input to the command.
func feed(stdin io.WriteCloser, input <-chan wire.ToGuest, out *replies) {
	for m := range input {
		if m.EOF {
			stdin.Close()
			return
		}
		stdin.Write(m.Stdin) // fails when the command reads no more, which is its right
		out.send(wire.FromGuest{Taken: true})
	}
}

// pass sends on what the command writes, until no process holds the pipe open.
func pass(from io.Reader, send func([]byte) error) {
	buf := make([]byte, wire.ChunkSize)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			err = errors.Join(err, send(buf[:n]))
		}
		if err != nil {
			return
		}
	}
}
