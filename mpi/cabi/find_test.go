package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What builds programs of others has to find this MPI, and no other, when its bin is the first in PATH.

// need skips the test where a tool is missing.
func need(t *testing.T, packages string, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("not run: %s is missing (apt-get install %s)", tool, packages)
		}
	}
}

// project is a folder with files, among them a program, ring.c.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	ring, err := os.ReadFile("testdata/abi/ring.c")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "ring.c"), ring, 0o644))
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	return folder
}

// in prepares a command in a folder, with our programs first in PATH, no pkg-config file of the machine, and settings.
func in(folder string, settings []string, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	cmd.Env = append(append(os.Environ(), "PATH="+filepath.Join(top, "bin")+":"+os.Getenv("PATH"), "PKG_CONFIG_LIBDIR="+folder), settings...)
	return cmd
}

func TestCMakeFindsThisMPI(t *testing.T) {
	need(t, "cmake make g++", "cmake", "make", "c++")
	folder := project(t, map[string]string{"CMakeLists.txt": `cmake_minimum_required(VERSION 3.10)
project(found C CXX)
find_package(MPI REQUIRED COMPONENTS C CXX)
message(STATUS "FOUND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${MPI_C_LIBRARIES} ${MPI_CXX_LIBRARIES} ${MPI_C_VERSION}")
add_executable(ring ring.c)
target_link_libraries(ring MPI::MPI_C)
`})
	library := top + "/lib/libmpi_abi.so"
	for name, args := range map[string][]string{"path": nil, "home": {"-DMPI_HOME=" + top}} {
		out := output(t, in(folder, nil, "cmake", append(args, "-S", ".", "-B", name)...))
		assert.Contains(t, out, "FOUND "+top+"/bin/mpiexec -n "+library+" "+library+" 5.0\n")
		output(t, in(folder, nil, "cmake", "--build", name))
		assert.Equal(t, "no errors\n", output(t, exec.Command(bin("mpiexec"), "-n", "2", filepath.Join(folder, name, "ring"))))
	}
}

func TestAutoconfFindsThisMPI(t *testing.T) {
	need(t, "autoconf autoconf-archive make", "autoconf", "aclocal", "make")
	folder := project(t, map[string]string{
		"configure.ac": "AC_INIT([found], [1])\nAC_PROG_CC\nAX_MPI([echo found by $MPICC], [exit 1])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n",
		"Makefile.in":  "ring: ring.c\n\t@MPICC@ @CFLAGS@ $< -o $@ @MPILIBS@\n",
	})
	if out, err := in(folder, nil, "aclocal").CombinedOutput(); err != nil || !contains(t, filepath.Join(folder, "aclocal.m4"), "AX_MPI") {
		t.Skipf("not run: AX_MPI is missing (apt-get install autoconf-archive): %s", out)
	}
	output(t, in(folder, nil, "autoconf"))
	assert.Contains(t, output(t, in(folder, nil, "./configure")), "\nfound by mpicc\n")
	output(t, in(folder, nil, "make"))
	assert.Contains(t, output(t, exec.Command("ldd", filepath.Join(folder, "ring"))), top+"/lib/libmpi_abi.so.1")
}

func contains(t *testing.T, file, text string) bool {
	t.Helper()
	all, err := os.ReadFile(file)
	require.NoError(t, err)
	return strings.Contains(string(all), text)
}

func TestMesonFindsThisMPI(t *testing.T) {
	need(t, "meson ninja-build pkgconf", "meson", "ninja", "pkg-config")
	folder := project(t, map[string]string{"meson.build": "project('found', 'c')\nexecutable('ring', 'ring.c', dependencies: dependency('mpi', language: 'c'))\n"})
	for name, settings := range map[string][]string{"wrapper": nil, "package": {"PKG_CONFIG_PATH=" + top + "/lib/pkgconfig"}} {
		output(t, in(folder, settings, "meson", "setup", name))
		output(t, in(folder, settings, "ninja", "-C", name))
		assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "2", filepath.Join(folder, name, "ring"))))
	}
}

func TestPkgConfigHasTheFlags(t *testing.T) {
	need(t, "pkgconf", "pkg-config")
	folder := project(t, nil)
	settings := []string{"PKG_CONFIG_PATH=" + top + "/lib/pkgconfig"}
	for _, name := range []string{"sctpmpi", "mpi", "mpi-c", "mpich"} {
		flags := strings.Fields(output(t, in(folder, settings, "pkg-config", "--cflags", "--libs", name)))
		output(t, in(folder, nil, "cc", append([]string{"ring.c", "-o", name}, flags...)...))
		library := "libmpi_abi.so.1"
		if name == "mpich" {
			library = "libmpich.so.12"
		}
		assert.Contains(t, output(t, exec.Command("readelf", "-d", filepath.Join(folder, name))), library)
		assert.Equal(t, "no errors\n", output(t, exec.Command(bin("mpiexec"), "-n", "2", filepath.Join(folder, name))))
		assert.Regexp(t, `^\d+\.\d+\.\d+`, output(t, in(folder, settings, "pkg-config", "--modversion", name)))
	}
}

func TestCompilerWrapperAnswersAsThatOfOpenMPIDoes(t *testing.T) {
	library := "-L" + top + "/lib -Wl,--enable-new-dtags,-rpath," + top + "/lib -lmpi_abi\n"
	for option, want := range map[string]string{
		"--showme":         "cc -I" + top + "/include " + library,
		"-showme:compile":  "-I" + top + "/include\n",
		"--showme:compile": "-I" + top + "/include\n",
		"--showme:link":    library,
		"--showme:command": "cc\n",
		"--showme:incdirs": top + "/include\n",
		"--showme:libdirs": top + "/lib\n",
		"--showme:libs":    "mpi_abi\n",
	} {
		assert.Equal(t, want, output(t, exec.Command(bin("mpicc"), option)), option)
	}
	assert.Regexp(t, `^mpicc: sctpmpi \d+\.\d+\.\d+`, output(t, exec.Command(bin("mpicc"), "--showme:version")))
	out, err := exec.Command(bin("mpicc"), "--showme:nonsense").CombinedOutput()
	assert.Error(t, err)
	assert.Equal(t, "mpicc: --showme:nonsense: there are compile, link, command, incdirs, libdirs, libs and version\n", string(out))
}

// mpirun, its other name, and the library know the same version.
func TestVersionIsTheSameEverywhere(t *testing.T) {
	version := strings.Fields(output(t, exec.Command(bin("mpirun"), "--version")))
	require.Equal(t, "sctpmpi", version[0])
	assert.Equal(t, version, strings.Fields(output(t, exec.Command(bin("mpiexec"), "--version"))))
	source := filepath.Join(t.TempDir(), "version.c")
	require.NoError(t, os.WriteFile(source, []byte(`#include <mpi.h>
#include <stdio.h>
int main(void) {
	char text[MPI_MAX_LIBRARY_VERSION_STRING];
	int length;
	MPI_Get_library_version(text, &length);
	return puts(text) < 0;
}
`), 0o644))
	program := filepath.Join(t.TempDir(), "version")
	output(t, exec.Command(bin("mpicc"), source, "-o", program))
	assert.True(t, strings.HasPrefix(output(t, exec.Command(program)), "sctpmpi "+version[1]+" (go"))
}
