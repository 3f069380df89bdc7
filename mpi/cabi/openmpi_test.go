package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// assertRefused checks that a job has ended because its ranks use Open MPI, before any of them has begun. How many have said so before
// the job ended is a matter of time.
func assertRefused(t *testing.T, job *exec.Cmd) {
	t.Helper()
	out, err := job.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "this program uses Open MPI (libmpi.so.40), whose processes would not find each other: each would be a job of its own. "+
		"Start it by Open MPI's own mpirun, or build it, or the module that it loads, with sctpmpi's mpicc")
	assert.Contains(t, string(out), " exited with status 1; ending the job\n")
	assert.NotRegexp(t, "begun| of 1\n", string(out))
}

// gcc builds a program of testdata/abi without a wrapper.
func gcc(t *testing.T, source string, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "program")
	output(t, exec.Command("gcc", append([]string{"-Wall", filepath.Join("testdata/abi", source), "-o", out}, args...)...))
	return out
}

// ofOpenMPI is a program that is linked with Open MPI's own library, which not every machine has.
func ofOpenMPI(t *testing.T, source string, flags ...string) string {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/*/libmpi.so.40")
	if len(found) == 0 {
		t.Skip("not run: Open MPI is not installed (apt-get install openmpi-bin)")
	}
	return gcc(t, source, append(flags, found[0])...)
}

func TestWhatLoadsOpenMPIIsRefusedWhereItBegins(t *testing.T) {
	program := gcc(t, "openmpi_load.c")
	for _, begin := range []string{"MPI_Init", "PMPI_Init", "MPI_Init_thread", "MPI_Session_init"} {
		assertRefused(t, mpirun(t, "-n", "2", program, begin))
	}
}

// A shell does not tell what its script starts, and neither does a program that begins another.
func TestProgramOfOpenMPIInAScriptIsRefused(t *testing.T) {
	program := ofOpenMPI(t, "openmpi.c")
	for _, args := range [][]string{{"sh", "-c", `"$0"`, program}, {"env", program}} {
		assertRefused(t, mpirun(t, append([]string{"-n", "2"}, args...)...))
	}
	for _, flag := range []string{"-Wl,-z,now", "-Wl,-z,lazy", "-no-pie"} {
		assertRefused(t, mpirun(t, "-n", "2", "env", ofOpenMPI(t, "openmpi.c", flag)))
	}
}

// What a rank starts without the launcher's variables is no rank.
func TestProgramThatIsNoRankHasItsOwnOpenMPI(t *testing.T) {
	const alone = `unset PMI_RANK PMI_SIZE PMI_FD; exec "$0" "$@"`
	root := "OMPI_MCA_rmaps_base_oversubscribe=1"
	out := output(t, mpirun(t, "-x", root, "sh", "-c", alone, ofOpenMPI(t, "openmpi.c")))
	assert.Equal(t, "0 of 1\n", out)

	// Only a library of it needs MPI.
	folder := t.TempDir()
	inner := ofOpenMPI(t, "openmpi.c", "-shared", "-fPIC", "-Dmain=inner", "-Wl,-soname,libinner.so")
	require.NoError(t, os.Rename(inner, filepath.Join(folder, "libinner.so")))
	source := filepath.Join(folder, "outer.c")
	require.NoError(t, os.WriteFile(source, []byte("int inner(int, char **); int main(int c, char **v) { return inner(c, v); }\n"), 0o644))
	outer := filepath.Join(folder, "outer")
	output(t, exec.Command("gcc", source, "-o", outer, "-L"+folder, "-linner", "-Wl,-rpath,"+folder, "-Wl,--allow-shlib-undefined"))
	assert.Equal(t, "0 of 1\n", output(t, mpirun(t, "-x", root, "sh", "-c", alone, outer)))

	// One that loads it while it runs cannot begin anew.
	text, err := mpirun(t, "sh", "-c", alone, gcc(t, "openmpi_load.c"), "MPI_Init").CombinedOutput()
	require.Error(t, err)
	assert.Regexp(t, `^this program uses Open MPI and is no rank, but has the LD_LIBRARY_PATH of sctpmpi's mpirun, which keeps ranks from Open MPI: unset LD_LIBRARY_PATH for it\n`, string(text))
}

// Whatever a program takes of Open MPI's library, ours has it.
func TestRefusingLibraryHasAllNames(t *testing.T) {
	theirs, _ := filepath.Glob("/usr/lib/*/libmpi.so.40")
	if len(theirs) == 0 {
		t.Skip("not run: Open MPI is not installed (apt-get install openmpi-bin)")
	}
	ours := map[string]bool{}
	for _, name := range defined(t, filepath.Join(top, "lib/openmpi/libmpi.so.40"), ".") {
		ours[name] = true
	}
	for _, name := range append(defined(t, theirs[0], "^P?MPI"), defined(t, theirs[0], "^ompi_mpi_", "B", "D", "R", "V")...) {
		assert.True(t, ours[name] || strings.HasPrefix(name, "MPIR_"), name)
	}

	// Its libraries for Fortran and C++ find what they need of the inside, too.
	preload := filepath.Join(top, "lib/openmpi/libmpi.so.40")
	for _, name := range []string{"mpifh", "usempif08", "usempi_ignore_tkr", "cxx"} {
		if found, _ := filepath.Glob("/usr/lib/*/libmpi_" + name + ".so.40"); len(found) > 0 {
			preload += ":" + found[0]
		}
	}
	cmd := exec.Command("/bin/true")
	cmd.Env = append(os.Environ(), "LD_BIND_NOW=1", "LD_PRELOAD="+preload, "PMI_RANK=0")
	assert.Empty(t, output(t, cmd))
}

// defined are the names that a library defines and that match a pattern, of some kinds only if kinds are named.
func defined(t *testing.T, library, pattern string, kinds ...string) (names []string) {
	t.Helper()
	match := regexp.MustCompile(pattern)
	for line := range strings.Lines(output(t, exec.Command("nm", "-D", "--defined-only", library))) {
		if words := strings.Fields(line); match.MatchString(words[2]) && (len(kinds) == 0 || slices.Contains(kinds, words[1])) {
			names = append(names, words[2])
		}
	}
	return names
}

// No --abi is needed: the program tells.
func TestMpirunTakesOurLibraryByItself(t *testing.T) {
	for _, face := range faces {
		program := filepath.Join(t.TempDir(), "version")
		compiler, library := "gcc", filepath.Join(top, "lib", face.library)
		include := regexp.MustCompile(`-I\S+`).FindString(output(t, exec.Command(bin("mpicc"), "--abi", face.abi, "-compile_info")))
		output(t, exec.Command(compiler, include, "testdata/abi/ring.c", "-o", program, library)) // no place of the library
		assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "2", program)))
		assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "2", "env", program)))
		assert.Contains(t, output(t, mpirun(t, "doctor", program)), ", and takes sctpmpi's\n")
	}
}

// What Debian calls libmpich.so.12 others call libmpi.so.12.
func TestMPICHsLibraryHasBothNames(t *testing.T) {
	folder := t.TempDir()
	object, library, program := filepath.Join(folder, "ring.o"), filepath.Join(folder, "libmpi.so.12"), filepath.Join(folder, "ring")
	output(t, exec.Command("gcc", "-I"+filepath.Join(top, "include/mpich"), "-c", "testdata/abi/ring.c", "-o", object))
	var source strings.Builder
	for _, name := range regexp.MustCompile(`\bMPI_\w+`).FindAllString(output(t, exec.Command("nm", "-u", object)), -1) {
		source.WriteString("void " + name + "(void) {}\n")
	}
	compile := exec.Command("gcc", "-shared", "-fPIC", "-Wl,-soname,libmpi.so.12", "-o", library, "-x", "c", "-")
	compile.Stdin = strings.NewReader(source.String())
	output(t, compile)
	output(t, exec.Command("gcc", object, "-o", program, library))
	assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "2", program)))
}
