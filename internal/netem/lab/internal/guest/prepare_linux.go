package guest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/internal/wire"
)

const (
	modulesDir = "/usr/lib/uml/modules"
	ownDir     = "/run/lab" // files of the lab's own
	binDir     = ownDir + "/bin"
)

// modules are loaded at the start; the kernel loads others when they are asked for.
var modules = []string{"overlay", "sctp", "sch_netem", "sch_tbf", "veth", "bridge"}

// settings raise what is too small for paths of high bandwidth and delay, and give each SCTP association buffers of its own,
// without which one that is stalled blocks all of its socket: the library does not use the kernel's SCTP otherwise.
var settings = map[string]string{
	"net/core/rmem_max":      "67108864",
	"net/core/wmem_max":      "67108864",
	"net/ipv4/tcp_rmem":      "4096 131072 67108864",
	"net/ipv4/tcp_wmem":      "4096 65536 67108864",
	"net/sctp/sctp_rmem":     "4096 865500 67108864",
	"net/sctp/sctp_wmem":     "4096 65536 67108864",
	"net/sctp/sndbuf_policy": "1",
	"net/sctp/rcvbuf_policy": "1",
	"kernel/modprobe":        binDir + "/modprobe",
	"kernel/hostname":        "lab",
}

// prepare makes a system of a kernel that has only just started.
func prepare(spec *wire.Spec) error {
	// The init process itself runs programs too.
	os.Setenv("PATH", binDir+":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
	for _, step := range []func() error{mountKernel, loadModules, set, mountTmp} {
		if err := step(); err != nil {
			return err
		}
	}
	for _, dir := range spec.Scratch {
		if err := mount("none", dir, "hostfs", 0, dir); err != nil {
			return err
		}
	}
	lo, err := netlink.LinkByName("lo")
	if err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	if err := netlink.LinkSetUp(lo); err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	return nil
}

// mountKernel mounts the file systems that the kernel provides.
func mountKernel() error {
	err := errors.Join(
		mount("proc", "/proc", "proc", 0, ""),
		mount("sys", "/sys", "sysfs", 0, ""),
		mount("run", "/run", "tmpfs", 0, "mode=755"),
		os.Mkdir("/dev/pts", 0o755), os.Mkdir("/dev/shm", 0o755),
		mount("devpts", "/dev/pts", "devpts", 0, "ptmxmode=666,mode=620"),
		mount("shm", "/dev/shm", "tmpfs", 0, "mode=1777"),
	)
	for name, target := range map[string]string{
		"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
	} {
		if e := os.Symlink(target, "/dev/"+name); !errors.Is(e, os.ErrExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// loadModules loads modules from where the package of this kernel has them. modprobe looks below another folder, which the
// host need not have.
func loadModules() error {
	for _, lib := range []string{"/lib", "/usr/lib"} {
		if err := os.MkdirAll(ownDir+lib, 0o755); err != nil {
			return err
		}
		if err := os.Symlink(modulesDir, ownDir+lib+"/modules"); err != nil {
			return err
		}
	}
	modprobe, err := exec.LookPath("modprobe")
	if err != nil {
		return err
	}
	if err := os.Mkdir(binDir, 0o755); err != nil {
		return err
	}
	script := fmt.Sprintf("#!/bin/sh\nexec %s -d %s \"$@\"\n", modprobe, ownDir)
	if err := os.WriteFile(binDir+"/modprobe", []byte(script), 0o755); err != nil {
		return err
	}
	if out, err := exec.Command(binDir+"/modprobe", append([]string{"-a"}, modules...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("modprobe -a %s: %w: %s", strings.Join(modules, " "), err, out)
	}
	return nil
}

func set() error {
	for name, value := range settings {
		if err := os.WriteFile("/proc/sys/"+name, []byte(value), 0); err != nil {
			return err
		}
	}
	return nil
}

// mountTmp lets the command write below /tmp, where the host's files, perhaps the command itself, stay visible. What it
// writes stays in the lab.
func mountTmp() error {
	upper, work := filepath.Join(ownDir, "tmp"), filepath.Join(ownDir, "work")
	if err := errors.Join(os.Mkdir(upper, 0), os.Mkdir(work, 0o700), os.Chmod(upper, 0o1777|os.ModeSticky)); err != nil {
		return err
	}
	return mount("tmp", "/tmp", "overlay", 0, fmt.Sprintf("lowerdir=/tmp,upperdir=%s,workdir=%s", upper, work))
}

func mount(source, target, kind string, flags uintptr, options string) error {
	if err := unix.Mount(source, target, kind, flags, options); err != nil {
		return &os.PathError{Op: "mount -t " + kind, Path: target, Err: err}
	}
	return nil
}
