package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/internal/linkage"
)

// libraryPath is where the dynamic linker looks first, but for the RPATH of a program.
const libraryPath = "LD_LIBRARY_PATH"

// libraryOf is our library of each ABI for C programs.
var libraryOf = map[linkage.ABI]string{linkage.Standard: "libmpi_abi.so.1", linkage.MPICH: "libmpich.so.12", linkage.OpenMPI: "libmpi.so.40"}

// CheckABI says why there is no such ABI, nil if there is.
func CheckABI(abi string) error {
	if libraryOf[linkage.ABI(abi)] == "" {
		return fmt.Errorf("--abi %s: there are std, mpich and openmpi", abi)
	}
	return nil
}

// Libraries has a program run on our library for its ABI. It returns the settings by which ranks of this host do so, and a note of
// what the user might not expect. abi, unless empty, is that of a program of which the file does not tell. A program of Open MPI that
// would run on Open MPI's own library is refused with a [ProgramError]. The libraries are in lib, beside the directory of this mpirun. Environment
// is what the ranks have else.
func Libraries(abi, program string, environment []string) (settings []string, note string, err error) {
	mpirun, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	return librariesIn(LibraryFolder(mpirun), linkage.ABI(abi), program, environment)
}

// LibraryFolder is where our libraries for C programs are, if they are anywhere.
func LibraryFolder(mpirun string) string {
	if real, err := filepath.EvalSymlinks(mpirun); err == nil {
		mpirun = real
	}
	return filepath.Join(filepath.Dir(filepath.Dir(mpirun)), "lib")
}

// OurLibraries is the setting by which a program finds our libraries in a folder, before those that an environment names; none if they
// have not been built.
func OurLibraries(folder string, environment []string) []string {
	built := false
	for _, library := range libraryOf {
		built = built || there(folder, library)
	}
	if !built {
		return nil
	}
	if inherited := Lookup(environment, libraryPath); inherited != "" {
		folder += ":" + inherited
	}
	return []string{libraryPath + "=" + folder}
}

func librariesIn(folder string, abi linkage.ABI, program string, environment []string) (settings []string, note string, err error) {
	if abi != linkage.None {
		if err := CheckABI(string(abi)); err != nil {
			return nil, "", err
		}
		if !there(folder, libraryOf[abi]) {
			return nil, "", fmt.Errorf("--abi %s: there is no %s in %s; make libmpi builds it", abi, libraryOf[abi], folder)
		}
	}
	settings = OurLibraries(folder, environment)
	p := linkage.Look(program, slices.Concat(environment, settings))
	switch {
	case p.Other.ABI != linkage.None:
		return nil, "", &ProgramError{StatusNotRunnable, fmt.Sprintf("%s needs %s and %s, which have two ABIs, %s and %s: compile all parts of it with one mpi.h",
			program, p.MPI.Name, p.Other.Name, p.MPI.ABI, p.Other.ABI)}
	case p.MPI.ABI == linkage.OpenMPI && !runsOpenMPI(p.MPI, folder):
		return nil, "", &ProgramError{StatusNotRunnable, fmt.Sprintf("%s is linked with Open MPI (%s), and does not find sctpmpi's library in its place: its processes "+
			"would not find each other, and each would be a job of its own. mpirun doctor %[1]s says more, or %[3]s starts it", program, p.MPI.Name, LauncherOfOpenMPI())}
	case abi != linkage.None && p.MPI.ABI != linkage.None && p.MPI.ABI != abi:
		return nil, "", fmt.Errorf("--abi %s: %s is linked with %s, whose ABI is %s", abi, program, p.MPI.Name, p.MPI.ABI)
	case !p.Dynamic && abi == linkage.None:
		return nil, "", nil
	case p.MPI.ABI == linkage.OpenMPI, abi == linkage.OpenMPI:
		return append(settings, ofOpenMPI), "", nil
	case InFront(p.MPI, folder):
		note = fmt.Sprintf("%s takes %s from %s, by an RPATH, and not the one in %s: mpirun doctor %[1]s says more", program, p.MPI.Name, filepath.Dir(p.MPI.Path), folder)
	}
	return settings, note, nil
}

// runsOpenMPI reports whether a program of Open MPI takes our library instead. Where no path is known a library is missing, which the
// program will say.
func runsOpenMPI(mpi linkage.Library, folder string) bool {
	return mpi.Name == libraryOf[linkage.OpenMPI] && there(folder, mpi.Name) && (mpi.Path == "" || Ours(mpi, folder))
}

// InFront reports whether a program takes another MPI library than ours, though ours is the first in LD_LIBRARY_PATH: it has a
// path of its own, which counts more.
func InFront(mpi linkage.Library, folder string) bool {
	return there(folder, libraryOf[mpi.ABI]) && mpi.Path != "" && !Ours(mpi, folder)
}

// Ours reports whether a library is one of those in a folder, whatever that is called.
func Ours(mpi linkage.Library, folder string) bool {
	real, err := filepath.EvalSymlinks(mpi.Path)
	if err != nil {
		return false
	}
	folder, err = filepath.EvalSymlinks(folder)
	return err == nil && filepath.Dir(real) == folder
}

func there(folder, library string) bool {
	if library == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(folder, library))
	return err == nil
}

// LauncherOfOpenMPI is a command that starts programs of Open MPI, as Debian calls it, or words for it.
func LauncherOfOpenMPI() string {
	const debian = "mpirun.openmpi"
	if _, err := exec.LookPath(debian); err == nil {
		return debian
	}
	return "Open MPI's own mpirun"
}
