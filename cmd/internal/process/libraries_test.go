package process

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

// tree is a directory with bin/mpirun, where there need be no file, and the libraries for C programs, of which it returns the folder.
func tree(t *testing.T, libraries ...string) (folder string) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	folder = filepath.Join(top, "lib")
	for _, folder := range []string{"bin", "lib"} {
		require.NoError(t, os.Mkdir(filepath.Join(top, folder), 0o755))
	}
	for _, name := range libraries {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o644))
	}
	return folder
}

// linked is a program that needs a library of MPI, which is in its own folder.
func linked(t *testing.T, library string, flags ...string) (program string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("not run: how programs of this system are linked is not known")
	}
	elsewhere := t.TempDir()
	linkagetest.Library(t, elsewhere, library)
	return linkagetest.Program(t, elsewhere, []string{library}, flags...)
}

func TestABIPutsOurLibrariesFirst(t *testing.T) {
	folder := tree(t, "libmpich.so.12")
	for _, test := range []struct {
		environment []string
		want        string
	}{
		{nil, folder},
		{[]string{"LD_LIBRARY_PATH=/mine", "A=1"}, folder + ":/mine"},
		{[]string{"LD_LIBRARY_PATH=/mine", "LD_LIBRARY_PATH=/new"}, folder + ":/new"},
	} {
		got, note, err := librariesIn(folder, "mpich", "/bin/sh", test.environment)
		require.NoError(t, err)
		assert.Empty(t, note)
		assert.Equal(t, []string{"LD_LIBRARY_PATH=" + test.want}, got)
	}
	_, _, err := librariesIn(folder, "std", "/bin/sh", nil)
	assert.EqualError(t, err, "--abi std: there is no libmpi_abi.so.1 in "+folder+"; make libmpi builds it")
	_, _, err = librariesIn(folder, "lam", "/bin/sh", nil)
	assert.EqualError(t, err, "--abi lam: there are std, mpich and openmpi")
}

func TestLibrariesAreBesideTheRealMpirun(t *testing.T) {
	folder := tree(t)
	mpirun := filepath.Join(filepath.Dir(folder), "bin", "mpirun")
	require.NoError(t, os.WriteFile(mpirun, nil, 0o755))
	link := filepath.Join(t.TempDir(), "run")
	require.NoError(t, os.Symlink(mpirun, link))
	assert.Equal(t, folder, LibraryFolder(mpirun))
	assert.Equal(t, folder, LibraryFolder(link))
}

// A program says itself what it has been linked with.
func TestProgramRunsOnOurLibraryForItsABI(t *testing.T) {
	for _, library := range []string{"libmpich.so.12", "libmpi_abi.so.1"} {
		program := linked(t, library)
		environment := []string{"LD_LIBRARY_PATH=" + filepath.Dir(program)}
		folder := tree(t)
		linkagetest.Library(t, folder, library)
		got, note, err := librariesIn(folder, "", program, environment)
		require.NoError(t, err)
		assert.Empty(t, note)
		assert.Equal(t, []string{"LD_LIBRARY_PATH=" + folder + ":" + filepath.Dir(program)}, got)

		// Without ours it runs on its own, which may know a launcher that speaks PMI.
		got, note, err = librariesIn(tree(t), "", program, environment)
		require.NoError(t, err)
		assert.Empty(t, note)
		assert.Empty(t, got)
	}
}

// Its ranks have the variables of Open MPI's launcher too.
func TestProgramOfOpenMPIRunsOnOurLibrary(t *testing.T) {
	program := linked(t, "libmpi.so.40")
	folder := tree(t)
	linkagetest.Library(t, folder, "libmpi.so.40")
	got, note, err := librariesIn(folder, "", program, []string{"LD_LIBRARY_PATH=" + filepath.Dir(program)})
	require.NoError(t, err)
	assert.Empty(t, note)
	assert.Equal(t, []string{"LD_LIBRARY_PATH=" + folder + ":" + filepath.Dir(program), "OMPI_COMM_WORLD_RANK="}, got)
	assert.Equal(t, []string{"A=1", "SCTPMPI_LOCAL_RANK=1", "SCTPMPI_LOCAL_SIZE=2", "OMPI_COMM_WORLD_RANK=5", "OMPI_COMM_WORLD_SIZE=8", "OMPI_COMM_WORLD_LOCAL_RANK=1",
		"OMPI_COMM_WORLD_NODE_RANK=1", "OMPI_COMM_WORLD_LOCAL_SIZE=2", "OMPI_UNIVERSE_SIZE=8"},
		withOpenMPI([]string{"A=1", ofOpenMPI, "SCTPMPI_LOCAL_RANK=1", "SCTPMPI_LOCAL_SIZE=2"}, 5, 8))
	assert.Equal(t, []string{"A=1"}, withOpenMPI([]string{"A=1"}, 5, 8))

	// Of a script no file tells.
	got, _, err = librariesIn(folder, "openmpi", "/bin/sh", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"LD_LIBRARY_PATH=" + folder, "OMPI_COMM_WORLD_RANK="}, got)
}

// On Open MPI's own library each process would be a job of its own, and end with status 0.
func TestProgramOfOpenMPIWithoutOurLibraryIsRefused(t *testing.T) {
	refused := func(file string, folder string, library string) {
		t.Helper()
		for _, abi := range []linkage.ABI{"", "mpich"} {
			_, _, err := librariesIn(folder, abi, file, []string{"LD_LIBRARY_PATH=" + filepath.Dir(file)})
			assert.EqualError(t, err, file+" is linked with Open MPI ("+library+"), and does not find sctpmpi's library in its place: its processes "+
				"would not find each other, and each would be a job of its own. mpirun doctor "+file+" says more, or "+LauncherOfOpenMPI()+" starts it")
			var refused *ProgramError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, StatusNotRunnable, refused.Status)
		}
	}
	program := linked(t, "libmpi.so.40")
	refused(program, tree(t, "libmpich.so.12"), "libmpi.so.40")

	folder := tree(t, "libmpich.so.12")
	linkagetest.Library(t, folder, "libmpi.so.40")
	refused(linked(t, "libmpi.so.40", "-Wl,--disable-new-dtags", "-Wl,-rpath,$ORIGIN"), folder, "libmpi.so.40")
	refused(linked(t, "libmpi.so.20"), folder, "libmpi.so.20") // of a version whose ABI is another

	if strings.ContainsAny(program, " \t") {
		t.Skip("not run: the first line of a script cannot name a path with blanks")
	}
	script := filepath.Join(filepath.Dir(program), "script")
	require.NoError(t, os.WriteFile(script, []byte("#!"+program+"\n"), 0o755))
	refused(script, tree(t, "libmpich.so.12"), "libmpi.so.40")
}

func TestProgramOfTwoABIsIsRefused(t *testing.T) {
	program := linked(t, "libmpich.so.12")
	elsewhere := filepath.Dir(program)
	linkagetest.Library(t, elsewhere, "libmpi_abi.so.1")
	program = linkagetest.Program(t, elsewhere, []string{"libmpich.so.12", "libmpi_abi.so.1"})
	_, _, err := librariesIn(tree(t, "libmpich.so.12"), "", program, []string{"LD_LIBRARY_PATH=" + elsewhere})
	assert.EqualError(t, err, program+" needs libmpich.so.12 and libmpi_abi.so.1, which have two ABIs, mpich and std: compile all parts of it with one mpi.h")
}

func TestABIThatIsNotTheProgramsIsRefused(t *testing.T) {
	program := linked(t, "libmpich.so.12")
	_, _, err := librariesIn(tree(t, "libmpi_abi.so.1"), "std", program, nil)
	assert.EqualError(t, err, "--abi std: "+program+" is linked with libmpich.so.12, whose ABI is mpich")
}

// An RPATH counts more than LD_LIBRARY_PATH, a RUNPATH less.
func TestPathThatComesBeforeOursIsTold(t *testing.T) {
	for flag, before := range map[string]bool{"-Wl,--disable-new-dtags": true, "-Wl,--enable-new-dtags": false} {
		program := linked(t, "libmpich.so.12", flag, "-Wl,-rpath,$ORIGIN")
		folder := tree(t)
		linkagetest.Library(t, folder, "libmpich.so.12")
		_, note, err := librariesIn(folder, "", program, nil)
		require.NoError(t, err)
		want := ""
		if before {
			want = program + " takes libmpich.so.12 from " + filepath.Dir(program) + ", by an RPATH, and not the one in " + folder +
				": mpirun doctor " + program + " says more"
		}
		assert.Equal(t, want, note)
	}
}

// What loads MPI while it runs, as Python does, finds ours.
func TestProgramThatMayLoadMPIFindsOurs(t *testing.T) {
	folder := tree(t, "libmpich.so.12", "libmpi_abi.so.1")
	program := linked(t, "libnumbers.so.1")
	settings, note, err := librariesIn(folder, "", program, []string{"LD_LIBRARY_PATH=" + filepath.Dir(program)})
	require.NoError(t, err)
	assert.Empty(t, note)
	assert.Equal(t, []string{"LD_LIBRARY_PATH=" + folder + ":" + filepath.Dir(program)}, settings)
}

// A static program, as those in Go are, costs nothing, and what it starts has the user's own libraries.
func TestStaticProgramHasNoSettings(t *testing.T) {
	folder := tree(t, "libmpich.so.12", "libmpi_abi.so.1")
	if runtime.GOOS != "linux" {
		t.Skip("not run: how programs of this system are linked is not known")
	}
	settings, note, err := librariesIn(folder, "", linkagetest.Program(t, t.TempDir(), nil, "-static"), nil)
	require.NoError(t, err)
	assert.Empty(t, note)
	assert.Empty(t, settings)
}
