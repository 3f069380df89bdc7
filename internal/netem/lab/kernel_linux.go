package lab

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// kernel is a running User Mode Linux. Its processes are one process group: the kernel, helpers that outlive a kernel which
// is killed, and a traced process for each address space inside.
type kernel struct {
	cmd     *exec.Cmd
	guard   *guard
	conn    net.Conn // to the guest's first serial line
	console *tail
}

// gated starts the kernel only when told to, that is, never if this process has gone before the group had its guard.
const gated = `read _ && exec "$@" </dev/null`

// boot starts a kernel with init as its first process. library, if there is one, is loaded before its own.
func boot(init, library string, memory int64) (*kernel, error) {
	if strings.Contains(init, `"`) {
		return nil, fmt.Errorf("the name of this program, %s, cannot be on a kernel's command line", init)
	}
	guest, host, err := socketPair()
	if err != nil {
		return nil, err
	}
	defer guest.Close()
	conn, err := net.FileConn(host)
	host.Close()
	if err != nil {
		return nil, err
	}
	console, output, err := newTail()
	if err != nil {
		conn.Close()
		return nil, err
	}
	defer output.Close()

	cmd := exec.Command("/bin/sh", "-c", gated, "sh", kernelBinary,
		fmt.Sprintf("mem=%dM", memory>>20),
		"root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro",
		fmt.Sprintf(`init="%s"`, init), initVariable+"=1",
		"con=null", "con0=null,fd:1", "ssl=null", "ssl0=fd:3", "quiet",
		// Where it can make no file, the kernel does without its control socket, and nothing is left when it is killed.
		"uml_dir=/proc/",
	)
	cmd.Env = []string{"TMPDIR=" + memoryDir(memory), "PATH=" + os.Getenv("PATH"), "LD_PRELOAD=" + library}
	cmd.Stdout, cmd.Stderr = output, output
	cmd.ExtraFiles = []*os.File{guest}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	gate, err := cmd.StdinPipe()
	if err != nil {
		conn.Close()
		return nil, err
	}
	defer gate.Close()
	if err := cmd.Start(); err != nil {
		conn.Close()
		return nil, err
	}
	keepToOneProcessor(cmd.Process.Pid)
	guard, err := newGuard(cmd.Process.Pid)
	if err == nil {
		_, err = gate.Write([]byte("\n"))
	}
	if err != nil {
		conn.Close()
		cmd.Process.Kill()
		cmd.Wait()
		return nil, err
	}
	return &kernel{cmd: cmd, guard: guard, conn: conn, console: console}, nil
}

// keepToOneProcessor does so with a process, and those that it will start. The kernel runs one of its processes at a time,
// and at each of their system calls, even to look at the clock, gives way to that or takes over from it. Where that means
// another processor, which is asleep most often, it takes five times as long. Labs choose at random, so that they share
// the host. If it is not possible the lab is slow.
func keepToOneProcessor(pid int) {
	var ours, one unix.CPUSet
	if unix.SchedGetaffinity(0, &ours) != nil || ours.Count() == 0 {
		return
	}
	skip := rand.N(ours.Count())
	for i := 0; one.Count() == 0; i++ {
		if !ours.IsSet(i) {
			continue
		}
		if skip == 0 {
			one.Set(i)
		}
		skip--
	}
	_ = unix.SchedSetaffinity(pid, &one)
}

// watch waits for the kernel to end, for whatever reason, and sees to it that the rest of its group does so too. It
// returns when nothing is left.
func (k *kernel) watch() {
	// Until the kernel is reaped, its process id, and so its group's, cannot be another's.
	for unix.Waitid(unix.P_PID, k.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	k.guard.kill()
	k.guard.wait()
	k.cmd.Wait()
	// The group shares one table of files: when the console is closed for good, the last of them has gone.
	<-k.console.done
}

// initBinary returns the program that shall be the guest's first process, and what to do when it is no longer needed.
func initBinary() (path string, remove func(), err error) {
	if !raceDetector {
		path, err := os.Executable()
		return path, func() {}, err
	}
	dir, err := os.MkdirTemp("", "sctpmpi-lab-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	path = filepath.Join(dir, "init")
	build := exec.Command("go", "build", "-race=false", "-o", path, "github.com/sctpmpi/sctpmpi/internal/netem/lab/internal/agent")
	if out, err := build.CombinedOutput(); err != nil {
		remove()
		return "", nil, fmt.Errorf("go build of the lab's init process, as this program has the race detector in it: %w\n%s", err, out)
	}
	return path, remove, nil
}

// memoryDir returns where the kernel shall have the file that is its memory: in memory, if there is room and programs may
// be executed from there. The file has no name once the kernel runs.
func memoryDir(memory int64) string {
	const shared = "/dev/shm"
	var fs unix.Statfs_t
	if unix.Statfs(shared, &fs) == nil && fs.Flags&unix.ST_NOEXEC == 0 && int64(fs.Bavail)*int64(fs.Bsize) >= memory {
		return shared
	}
	return os.TempDir()
}

// socketPair makes a stream between this process and the guest.
func socketPair() (guest, host *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	return os.NewFile(uintptr(fds[0]), "guest"), os.NewFile(uintptr(fds[1]), "host"), nil
}
