package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/linkage"
)

// libraryPath is where the dynamic linker looks first, but for the RPATH of a program.
const libraryPath = "LD_LIBRARY_PATH"

// libraryOf is our library of each ABI for C programs.
var libraryOf = map[linkage.ABI]string{linkage.Standard: "libmpi_abi.so.1", linkage.MPICH: "libmpich.so.12"}

// refusing has, beside our libraries, one with the name of Open MPI's, which says in MPI_Init that it cannot do its work.
const refusing = "openmpi/libmpi.so.40"

// CheckABI says why there is no such ABI, nil if there is.
func CheckABI(abi string) error {
	if libraryOf[linkage.ABI(abi)] == "" {
		return fmt.Errorf("--abi %s: there are std and mpich", abi)
	}
	return nil
}

// Libraries has a program run on our library for its ABI. It returns the settings by which ranks of this host do so, and a note of
// what the user might not expect. abi, unless empty, is that of a program of which the file does not tell. A program that needs an MPI
// of which there is none is refused with a [ProgramError]. The libraries are in lib, beside the directory of this mpirun. Environment
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

// OurLibraries is the setting by which a program finds our libraries in a folder, whatever it loads while it runs, and the one that
// refuses what is Open MPI's; none if they have not been built.
func OurLibraries(folder string, environment []string) []string {
	folders := ourFolders(folder)
	if there(folder, refusing) {
		folders = append(folders, filepath.Join(folder, filepath.Dir(refusing)))
	}
	return searchFirst(folders, environment)
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
	settings = searchFirst(ourFolders(folder), environment)
	p := linkage.Look(program, slices.Concat(environment, settings))
	switch {
	case p.MPI.ABI == linkage.OpenMPI:
		return nil, "", &ProgramError{StatusNotRunnable, fmt.Sprintf("%s is linked with Open MPI (%s), whose processes would not find each other: "+
			"each would be a job of its own. %s starts it, or %s builds it anew", program, p.MPI.Name, LauncherOfOpenMPI(), filepath.Join(filepath.Dir(folder), "bin", "mpicc"))}
	case abi != linkage.None && p.MPI.ABI != linkage.None && p.MPI.ABI != abi:
		return nil, "", fmt.Errorf("--abi %s: %s is linked with %s, whose ABI is %s", abi, program, p.MPI.Name, p.MPI.ABI)
	case !p.Dynamic && abi == linkage.None:
		return nil, "", nil
	case p.MPI.ABI == linkage.None: // it may load one while it runs
		return OurLibraries(folder, environment), "", nil
	case InFront(p.MPI, folder):
		note = fmt.Sprintf("%s takes %s from %s, by an RPATH, and not the one in %s: mpirun doctor %[1]s says more", program, p.MPI.Name, filepath.Dir(p.MPI.Path), folder)
	}
	return settings, note, nil
}

// InFront reports whether a program takes another MPI library than ours, though ours is the first in LD_LIBRARY_PATH: it has a
// path of its own, which counts more.
func InFront(mpi linkage.Library, folder string) bool {
	ours := libraryOf[mpi.ABI]
	if mpi.ABI == linkage.OpenMPI {
		ours = refusing
	}
	return there(folder, ours) && mpi.Path != "" && !Ours(mpi, folder)
}

// Ours reports whether a library is one of those in a folder, whatever that is called.
func Ours(mpi linkage.Library, folder string) bool {
	real, err := filepath.EvalSymlinks(mpi.Path)
	if err != nil {
		return false
	}
	folder, err = filepath.EvalSymlinks(folder)
	return err == nil && (filepath.Dir(real) == folder || filepath.Dir(real) == filepath.Dir(filepath.Join(folder, refusing)))
}

// ourFolders is the folder of our libraries, if one of them has been built.
func ourFolders(folder string) []string {
	if there(folder, libraryOf[linkage.Standard]) || there(folder, libraryOf[linkage.MPICH]) {
		return []string{folder}
	}
	return nil
}

// searchFirst is the setting by which some folders are searched first, before those that an environment names.
func searchFirst(folders []string, environment []string) []string {
	if len(folders) == 0 {
		return nil
	}
	if inherited := Lookup(environment, libraryPath); inherited != "" {
		folders = append(folders, inherited)
	}
	return []string{libraryPath + "=" + strings.Join(folders, ":")}
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
