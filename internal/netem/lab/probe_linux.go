package lab

import (
	"fmt"
	"os"
	"os/exec"
)

const (
	kernelBinary = "linux.uml"
	modulesDir   = "/usr/lib/uml/modules"
	installation = "apt-get install user-mode-linux kmod (Debian, Ubuntu; amd64 or i386)"
)

// Probe says whether this host can run labs. Its error wraps ErrUnavailable and names what is missing. It boots nothing.
func Probe() error {
	if Inside() {
		return fmt.Errorf("%w: this is a lab already", ErrUnavailable)
	}
	if _, err := exec.LookPath(kernelBinary); err != nil {
		return fmt.Errorf("%w: %s is missing: %s", ErrUnavailable, kernelBinary, installation)
	}
	if _, err := os.Stat(modulesDir); err != nil {
		return fmt.Errorf("%w: the kernel's modules are missing (%w): %s", ErrUnavailable, err, installation)
	}
	if _, err := lookTool("modprobe"); err != nil {
		return fmt.Errorf("%w: modprobe is missing: %s", ErrUnavailable, installation)
	}
	if _, err := exec.LookPath("cc"); err != nil && moreRegisters() {
		return fmt.Errorf("%w: this processor has AMX, with which the kernel needs a library, and there is no C compiler to build it: apt-get install gcc libc6-dev", ErrUnavailable)
	}
	return nil
}

// lookTool finds a program that users without root may not have in PATH.
func lookTool(name string) (string, error) {
	for _, dir := range []string{"/usr/sbin/", "/sbin/"} {
		if path, err := exec.LookPath(dir + name); err == nil {
			return path, nil
		}
	}
	return exec.LookPath(name)
}
