package linkage_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/linkage"
	"github.com/sctpmpi/sctpmpi/cmd/internal/linkage/linkagetest"
)

func onLinux(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("not run: how programs of this system are linked is not known")
	}
}

func TestProgramTellsWhichMPIItNeeds(t *testing.T) {
	onLinux(t)
	for name, want := range map[string]linkage.ABI{
		"libmpi_abi.so.0": linkage.Standard,
		"libmpi_abi.so.1": linkage.Standard,
		"libmpich.so.12":  linkage.MPICH,
		"libmpi.so.12":    linkage.MPICH,
		"libmpi.so.40":    linkage.OpenMPI,
		"libmpi.so.20":    linkage.OpenMPI,
		"libmpi_cxx.so.1": linkage.None,
	} {
		folder := t.TempDir()
		linkagetest.Library(t, folder, name)
		environment := []string{"LD_LIBRARY_PATH=" + folder}
		of := linkage.Look(linkagetest.Program(t, folder, []string{name}), environment)
		assert.True(t, of.Dynamic)
		if want == linkage.None {
			assert.Empty(t, of.MPI, name)
			continue
		}
		assert.Equal(t, linkage.Library{Name: name, Path: filepath.Join(folder, name), ABI: want}, of.MPI)

		// A module has no dynamic linker of its own.
		linkagetest.Library(t, folder, "module.so", name)
		assert.Equal(t, of.MPI, linkage.Look(filepath.Join(folder, "module.so"), environment).MPI)
	}
}

// The program needs a library, and only that one needs MPI.
func TestLibraryBringsItsMPIWithIt(t *testing.T) {
	onLinux(t)
	folder := t.TempDir()
	linkagetest.Library(t, folder, "libmpi.so.40")
	linkagetest.Library(t, folder, "libphysics.so.0", "libmpi.so.40")
	program := linkagetest.Program(t, folder, []string{"libphysics.so.0"})
	of := linkage.Look(program, []string{"LD_LIBRARY_PATH=" + folder})
	assert.Equal(t, linkage.OpenMPI, of.MPI.ABI)
	require.NoError(t, os.Remove(filepath.Join(folder, "libphysics.so.0")))
	assert.Equal(t, linkage.Program{File: program, Dynamic: true}, linkage.Look(program, nil), "nothing can be known of what is missing")
}

// A program of one ABI whose library has another cannot work.
func TestTwoABIsAreSeen(t *testing.T) {
	onLinux(t)
	folder := t.TempDir()
	linkagetest.Library(t, folder, "libmpi.so.40")
	linkagetest.Library(t, folder, "libmpich.so.12")
	linkagetest.Library(t, folder, "libphysics.so.0", "libmpi.so.40")
	of := linkage.Look(linkagetest.Program(t, folder, []string{"libmpich.so.12", "libphysics.so.0"}), []string{"LD_LIBRARY_PATH=" + folder})
	assert.Equal(t, linkage.MPICH, of.MPI.ABI)
	assert.Equal(t, linkage.Library{Name: "libmpi.so.40", Path: filepath.Join(folder, "libmpi.so.40"), ABI: linkage.OpenMPI}, of.Other)
}

// Where the library is missing the program tells its name all the same.
func TestMissingMPIIsNamed(t *testing.T) {
	onLinux(t)
	folder := t.TempDir()
	linkagetest.Library(t, folder, "libmpi.so.40")
	program := linkagetest.Program(t, folder, []string{"libmpi.so.40"})
	require.NoError(t, os.Rename(filepath.Join(folder, "libmpi.so.40"), filepath.Join(folder, "elsewhere")))
	assert.Equal(t, linkage.Library{Name: "libmpi.so.40", ABI: linkage.OpenMPI}, withoutPath(linkage.Look(program, nil).MPI))
}

// withoutPath: this machine may have a library of that name.
func withoutPath(l linkage.Library) linkage.Library {
	l.Path = ""
	return l
}

// Of Open MPI 1.10 the library had the number that MPICH's has.
func TestHandlesTellOpenMPIFromMPICH(t *testing.T) {
	onLinux(t)
	folder := t.TempDir()
	linkagetest.Library(t, folder, "libmpi.so.12")
	program := linkagetest.ProgramOf(t, "int ompi_mpi_comm_world; int main(void) { return 0; }\n",
		folder, []string{"libmpi.so.12"}, "-rdynamic") // as where it has a copy of the library's object
	assert.Equal(t, linkage.OpenMPI, linkage.Look(program, []string{"LD_LIBRARY_PATH=" + folder}).MPI.ABI)
}

func TestScriptIsItsInterpreter(t *testing.T) {
	onLinux(t)
	folder := t.TempDir()
	linkagetest.Library(t, folder, "libmpi.so.40")
	program := linkagetest.Program(t, folder, []string{"libmpi.so.40"})
	if strings.ContainsAny(program, " \t") {
		t.Skip("not run: the first line of a script cannot name a path with blanks")
	}
	environment := []string{"LD_LIBRARY_PATH=" + folder, "PATH=/nowhere:" + folder}
	for _, line := range []string{program, program + " -u", "/usr/bin/env program", "/usr/bin/env -S A=1 program -u"} {
		script := filepath.Join(folder, "script")
		require.NoError(t, os.WriteFile(script, []byte("#!"+line+"\nprint('hello')\n"), 0o755))
		of := linkage.Look(script, environment)
		assert.Equal(t, program, of.File, line)
		assert.Equal(t, linkage.OpenMPI, of.MPI.ABI, line)
		again := filepath.Join(folder, "again")
		require.NoError(t, os.WriteFile(again, []byte("#! "+script+"\n"), 0o755))
		assert.Equal(t, program, linkage.Look(again, environment).File)
	}
}

func TestNothingIsKnownOfOtherFiles(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	loop, text, empty := "./loop", filepath.Join(folder, "text"), filepath.Join(folder, "empty")
	require.NoError(t, os.WriteFile(loop, []byte("#!"+loop+"\n"), 0o755))
	require.NoError(t, os.WriteFile(text, []byte("#!\necho hello\n"), 0o755))
	require.NoError(t, os.WriteFile(empty, nil, 0o755))
	for _, file := range []string{loop, text, empty, folder, filepath.Join(folder, "none")} {
		assert.Equal(t, linkage.Program{File: file}, linkage.Look(file, nil))
	}
}

// The programs of this project are static: they cannot load a library.
func TestStaticProgramNeedsNoLibrary(t *testing.T) {
	onLinux(t)
	folder := t.TempDir()
	program := linkagetest.Program(t, folder, nil, "-static")
	assert.Equal(t, linkage.Program{File: program}, linkage.Look(program, nil))
	program = linkagetest.Program(t, folder, nil, "-static-pie")
	assert.Equal(t, linkage.Program{File: program}, linkage.Look(program, nil))
}
