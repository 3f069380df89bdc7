package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// hpccMake is what the HPC Challenge suite wants to know of a machine. %s is the compiler.
const hpccMake = `SHELL = /bin/sh
CD = cd
CP = cp
LN_S = ln -s
MKDIR = mkdir
RM = /bin/rm -f
TOUCH = touch
ARCH = $(arch)
TOPdir = ../../..
INCdir = $(TOPdir)/include
BINdir = $(TOPdir)/bin/$(ARCH)
LIBdir = $(TOPdir)/lib/$(ARCH)
HPLlib = $(LIBdir)/libhpl.a
LAlib = -lblas
HPL_INCLUDES = -I$(INCdir) -I$(INCdir)/$(ARCH)
HPL_LIBS = $(HPLlib) $(LAlib) -lm
HPL_DEFS = -DAdd_ -DF77_INTEGER=int -DStringSunStyle $(HPL_INCLUDES)
CC = %s
CCNOOPT = $(HPL_DEFS)
CCFLAGS = $(HPL_DEFS) -O2 -w
LINKER = $(CC)
LINKFLAGS =
ARCHIVER = ar
ARFLAGS = r
RANLIB = echo
`

// runHPCC runs the HPC Challenge suite, HPL among it, on a small problem: over Open MPI's ABI Debian's binary, and else what it builds for this
// library and for Debian's MPICH.
func runHPCC(ctx context.Context, b *bench) error {
	libraries, err := []string{standard, reference}, needs("/usr/lib/x86_64-linux-gnu/libblas.so", "libblas-dev")
	if b.library == openMPIABI {
		libraries, err = []string{openMPIABI, openMPI}, needs("hpcc", "hpcc")
	}
	if err != nil {
		return err
	}
	if b.short {
		libraries = libraries[:1]
	}
	for _, library := range libraries {
		gflops, err := b.hpcc(ctx, library)
		if err != nil {
			return err
		}
		over := map[string]string{reference: "Debian's MPICH", openMPI: "Debian's Open MPI", openMPIABI: b.transport + ", Debian's binary", standard: b.transport}
		b.log.say("hpcc over %s: all checks pass, HPL %s Gflop/s", over[library], gflops)
	}
	return nil
}

// hpcc builds and runs the suite over a library, and returns HPL's figure.
func (b *bench) hpcc(ctx context.Context, library string) (gflops string, err error) {
	source, err := b.source(ctx, "hpcc")
	if err != nil {
		return "", err
	}
	input, err := os.ReadFile(filepath.Join(source, "_hpccinf.txt"))
	if err != nil {
		return "", err
	}
	binary := "hpcc"
	if library == standard || library == reference {
		if binary, err = b.buildHPCC(ctx, source, library); err != nil {
			return "", err
		}
	}
	size := "1000"
	if b.short {
		size = "200"
	}
	text := regexp.MustCompile(`(?m)^1000( +Ns)`).ReplaceAllString(string(input), size+"$1")
	if err := os.WriteFile(filepath.Join(b.folder, "hpccinf.txt"), []byte(text), 0o644); err != nil {
		return "", err
	}
	result := filepath.Join(b.folder, "hpccoutf.txt")
	_ = os.Remove(result) // it would append
	transport := b.transport
	if library == reference || library == openMPI {
		transport = "shm"
	}
	if _, err := b.launch(ctx, library, transport, 4, binary); err != nil {
		return "", err
	}
	output, err := os.ReadFile(result)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(b.log.file, "%s\n", output)
	return hpccVerdict(string(output))
}

// hpccVerdict reads hpccoutf.txt: HPL's figure if all checks have passed.
func hpccVerdict(text string) (gflops string, err error) {
	hpl, _ := valueOf(text, "HPL_Tflops")
	switch {
	case !strings.Contains(text, "End of HPC Challenge tests"):
		return "", fmt.Errorf("hpcc has not come to its end: hpccoutf.txt ends with %q", firstError(text))
	case strings.Contains(text, "FAILED"):
		return "", fmt.Errorf("hpcc: a residual check has failed")
	case !strings.Contains(text, "0 tests completed and failed residual checks"):
		return "", fmt.Errorf("hpcc: no residual check has been made")
	}
	if success, _ := valueOf(text, "Success"); success != 1 {
		return "", fmt.Errorf("hpcc says Success=%g", success)
	}
	return fmt.Sprintf("%.3f", hpl*1000), nil
}

// valueOf finds a line NAME=VALUE of hpcc's summary.
func valueOf(text, name string) (value float64, found bool) {
	for line := range strings.Lines(text) {
		if key, number, ok := strings.Cut(strings.TrimSpace(line), "="); ok && key == name {
			_, err := fmt.Sscanf(number, "%g", &value)
			return value, err == nil
		}
	}
	return 0, false
}

// buildHPCC builds the suite for a library, once, and returns the program.
func (b *bench) buildHPCC(ctx context.Context, source, library string) (string, error) {
	l, err := b.over(library, "shm")
	if err != nil {
		return "", err
	}
	if l.other == "" {
		l.compiler += " --abi mpich" // it uses names that MPI 3 has removed, such as MPI_Address
	}
	folder := filepath.Join(b.work, "hpcc-"+library)
	binary := filepath.Join(folder, "hpcc")
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	b.log.progress("hpcc: building for %s", l.compiler)
	if err := os.RemoveAll(folder); err != nil {
		return "", err
	}
	if err := os.CopyFS(folder, os.DirFS(source)); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(folder, "hpl/Make.conformance"), fmt.Appendf(nil, hpccMake, l.compiler), 0o644); err != nil {
		return "", err
	}
	command := exec.CommandContext(ctx, "make", "-C", folder, "arch=conformance", fmt.Sprintf("-j%d", runtime.NumCPU()))
	return binary, b.build("hpcc", command)
}
