package doctor

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/linkage/linkagetest"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

func TestProgramTellsWhichMPIItTakes(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("not run: how programs of this system are linked is not known")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	ours, theirs, none := filepath.Join(top, "lib"), filepath.Join(top, "theirs"), filepath.Join(top, "none")
	for _, folder := range []string{ours, theirs, none} {
		require.NoError(t, os.Mkdir(folder, 0o755))
	}
	for _, folder := range []string{ours, theirs} {
		linkagetest.Library(t, folder, "libmpich.so.12")
		linkagetest.Library(t, folder, "libmpi.so.40")
	}
	linkagetest.Library(t, theirs, "libmpi.so.20")
	linkagetest.Library(t, theirs, "libmpi_mpifh.so.40", "libmpi.so.40")
	t.Setenv("LD_LIBRARY_PATH", theirs)
	mpich, openmpi, rpath := []string{"libmpich.so.12"}, []string{"libmpi.so.40"}, []string{"-Wl,--disable-new-dtags", "-Wl,-rpath,$ORIGIN"}

	file := filepath.Join(theirs, "program")
	mpicc := top + "/bin/mpicc"
	for _, test := range []struct {
		needs, flags []string
		folder       string
		want         string
	}{
		{nil, []string{"-static"}, ours, "good   MPI            " + file + " needs no library, or is no program: nothing is to be known of it\n"},
		{nil, nil, ours, "good   MPI            " + file + " needs none. If it loads one while it runs, it finds those of sctpmpi; " +
			"mpirun doctor FILE looks at the module by which it does\n"},
		{mpich, nil, ours, "good   MPI            " + file + " needs libmpich.so.12, and takes sctpmpi's\n"},
		{mpich, rpath, ours, "note   MPI            " + file + " needs libmpich.so.12 and has an RPATH before all other places: it takes the one in " + theirs +
			", and not sctpmpi's in " + ours + "\n                      mend it: patchelf --remove-rpath " + file + ", or build it with " + mpicc + "\n"},
		{mpich, nil, none, "note   MPI            " + file + " needs libmpich.so.12 and takes " + theirs + "/libmpich.so.12, as sctpmpi's libraries are not in " + none +
			"\n                      mend it: make libmpi\n"},
		{openmpi, nil, ours, "good   MPI            " + file + " needs libmpi.so.40, and takes sctpmpi's\n"},
		{openmpi, rpath, ours, "FAILS  MPI            " + file + " needs libmpi.so.40 and has an RPATH before all other places: it takes the one in " + theirs +
			", by which ranks of mpirun would be jobs of their own\n                      mend it: patchelf --remove-rpath " + file + ", or build it with " + mpicc + "\n"},
		{openmpi, nil, none, "FAILS  MPI            " + file + " needs libmpi.so.40 and takes " + theirs + "/libmpi.so.40, as sctpmpi's libraries are not in " + none +
			": ranks of mpirun would be jobs of their own\n                      mend it: make libmpi\n"},
		{[]string{"libmpi.so.40", "libmpich.so.12"}, nil, ours, "FAILS  MPI            " + file + " needs libmpi.so.40 and libmpich.so.12, which have two ABIs, openmpi and mpich" +
			"\n                      mend it: compile all parts of it with one mpi.h\n"},
		{[]string{"libmpi_mpifh.so.40"}, nil, ours, "good   MPI            " + file + " needs libmpi.so.40, and takes sctpmpi's\n"},
		{[]string{"libmpi.so.20"}, nil, ours, "FAILS  MPI            " + file + " needs libmpi.so.20, which is of an Open MPI before 3.0: sctpmpi has the ABI of later ones" +
			"\n                      mend it: start it by " + process.LauncherOfOpenMPI() + ", or build it with " + mpicc + "\n"},
	} {
		linkagetest.Program(t, theirs, test.needs, test.flags...)
		var out bytes.Buffer
		Write(&out, program(test.folder, file))
		assert.Equal(t, test.want, out.String())
	}

	linkagetest.Library(t, theirs, "module.so", "libmpi.so.20")
	assert.Equal(t, Broken, Worst(program(ours, filepath.Join(theirs, "module.so"))), "a module, as of Python")
	if strings.ContainsAny(file, " \t") {
		t.Skip("not run: the first line of a script cannot name a path with blanks")
	}
	script := filepath.Join(top, "script")
	require.NoError(t, os.WriteFile(script, []byte("#!"+file+"\n"), 0o755))
	findings := program(ours, script)
	assert.Equal(t, Finding{Subject: "script", Text: script + " is run by " + file}, findings[0])
	assert.Equal(t, Broken, Worst(findings))
}
