package lab

import (
	"io"
	"os/exec"
	"strconv"
	"syscall"
)

// guard kills a process group when it is told to, or when this process ends, even by SIGKILL. A signal on the parent's
// death would reach the kernel but not its helpers.
type guard struct {
	cmd   *exec.Cmd
	leash io.Closer
}

func newGuard(group int) (*guard, error) {
	cmd := exec.Command("/bin/sh", "-c", `read _; kill -KILL "-$1"`, "sh", strconv.Itoa(group))
	// A signal from the terminal must reach only the process that holds the leash.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	leash, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &guard{cmd: cmd, leash: leash}, nil
}

// kill ends all processes of the group. It may be called more than once.
func (g *guard) kill() {
	g.leash.Close()
}

// wait waits for the guard to have done its work.
func (g *guard) wait() {
	g.cmd.Wait()
}
