package lab

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/cpu"
)

// User Mode Linux 6.1 has room for the registers of its processes up to those of AVX-512. Where the
// processor has more it cannot set any, and dies of that before it has started its first process.
//
//go:embed preload/registers.c
var registersSource []byte

// moreRegisters reports whether the processor has such registers: AMX's are 8 KiB.
func moreRegisters() bool { return cpu.X86.HasAMXTile }

// registersLibrary returns a library with which the kernel can set its processes' registers, or nothing where it can anyway,
// and what to do when the kernel has ended.
func registersLibrary() (path string, remove func(), err error) {
	if !moreRegisters() {
		return "", func() {}, nil
	}
	dir, err := os.MkdirTemp("", "sctpmpi-lab-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	if path, err = buildRegistersLibrary(dir); err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}

func buildRegistersLibrary(dir string) (path string, err error) {
	source, path := filepath.Join(dir, "registers.c"), filepath.Join(dir, "registers.so")
	if strings.ContainsAny(path, " :") {
		return "", fmt.Errorf("the library that the kernel needs on a processor with AMX cannot be loaded from %s: set TMPDIR to a directory without space or colon in its name", dir)
	}
	if err := os.WriteFile(source, registersSource, 0o600); err != nil {
		return "", err
	}
	build := exec.Command("cc", "-O2", "-shared", "-fPIC", "-o", path, source, "-ldl")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cc of what the kernel needs on a processor with AMX: %w\n%s", err, out)
	}
	return path, nil
}
