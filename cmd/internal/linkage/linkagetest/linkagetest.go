// Package linkagetest makes programs that have been linked with libraries of MPI, for tests. Nothing is in these libraries.
package linkagetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// compiler is the C compiler. Without one the test is skipped.
func compiler(t *testing.T) string {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("not run: there is no C compiler to link a program with (apt-get install gcc libc6-dev)")
	}
	return cc
}

func compile(t *testing.T, source string, args ...string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "source.c")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o644))
	out, err := exec.Command(compiler(t), append([]string{file}, args...)...).CombinedOutput()
	require.NoError(t, err, string(out))
}

// Library makes a shared library in a folder, which needs others of that folder.
func Library(t *testing.T, folder, name string, needs ...string) {
	t.Helper()
	args := []string{"-shared", "-fPIC", "-Wl,-soname," + name, "-o", filepath.Join(folder, name)}
	compile(t, "int of_a_library;\n", append(args, link(folder, needs)...)...)
}

// Program makes a program in a folder, which needs libraries of that folder and looks nowhere for them, unless flags for the compiler
// say where. It ends with status 0.
func Program(t *testing.T, folder string, needs []string, flags ...string) (file string) {
	t.Helper()
	return ProgramOf(t, "int main(void) { return 0; }\n", folder, needs, flags...)
}

// ProgramOf does so from a source in C.
func ProgramOf(t *testing.T, source, folder string, needs []string, flags ...string) (file string) {
	t.Helper()
	file = filepath.Join(folder, "program")
	args := append([]string{"-o", file}, link(folder, needs)...)
	compile(t, source, append(args, flags...)...)
	return file
}

func link(folder string, libraries []string) []string {
	args := []string{"-Wl,--no-as-needed", "-Wl,-rpath-link," + folder}
	for _, name := range libraries {
		args = append(args, "-L"+folder, "-l:"+name)
	}
	return args
}
