package doctor

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sctpmpi/sctpmpi/cmd/internal/linkage"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// Program looks at the file of a program, or of a module that programs load: which MPI it takes, as a rank of mpirun.
func Program(file string) []Finding {
	mpirun, err := os.Executable()
	if err != nil {
		return []Finding{bad(Broken, "", "%v", err)}
	}
	return program(process.LibraryFolder(mpirun), file)
}

func program(folder, file string) []Finding {
	environment := append(os.Environ(), process.OurLibraries(folder, os.Environ())...)
	p := linkage.Look(file, environment)
	finding := mpiOf(p, folder)
	finding.Subject = "MPI"
	if p.File == file {
		return []Finding{finding}
	}
	return []Finding{{Subject: "script", State: Good, Text: fmt.Sprintf("%s is run by %s", file, p.File)}, finding}
}

// mpiOf says which MPI a program takes.
func mpiOf(p linkage.Program, folder string) Finding {
	mpicc := filepath.Join(filepath.Dir(folder), "bin", "mpicc")
	needs := fmt.Sprintf("%s needs %s", p.File, p.MPI.Name)
	switch {
	case !p.Dynamic:
		return good("%s needs no library, or is no program: nothing is to be known of it", p.File)
	case p.Other.ABI != linkage.None:
		return bad(Broken, "compile all parts of it with one mpi.h", "%s and %s, which have two ABIs, %s and %s", needs, p.Other.Name, p.MPI.ABI, p.Other.ABI)
	case p.MPI.ABI == linkage.None:
		return good("%s needs none. If it loads one while it runs, it finds those of sctpmpi; "+
			"mpirun doctor FILE looks at the module by which it does", p.File)
	case p.MPI.ABI == linkage.OpenMPI && p.MPI.Name != "libmpi.so.40":
		return bad(Broken, fmt.Sprintf("start it by %s, or build it with %s", process.LauncherOfOpenMPI(), mpicc),
			"%s, which is of an Open MPI before 3.0: sctpmpi has the ABI of later ones", needs)
	case p.MPI.ABI == linkage.OpenMPI && process.InFront(p.MPI, folder):
		return bad(Broken, "patchelf --remove-rpath "+p.File+", or build it with "+mpicc,
			"%s and has an RPATH before all other places: it takes the one in %s, by which ranks of mpirun would be jobs of their own", needs, filepath.Dir(p.MPI.Path))
	case p.MPI.ABI == linkage.OpenMPI && p.MPI.Path != "" && !process.Ours(p.MPI, folder):
		return bad(Broken, "make libmpi", "%s and takes %s, as sctpmpi's libraries are not in %s: ranks of mpirun would be jobs of their own", needs, p.MPI.Path, folder)
	case process.InFront(p.MPI, folder):
		return bad(Differ, "patchelf --remove-rpath "+p.File+", or build it with "+mpicc,
			"%s and has an RPATH before all other places: it takes the one in %s, and not sctpmpi's in %s", needs, filepath.Dir(p.MPI.Path), folder)
	case p.MPI.Path == "":
		return bad(Broken, "make libmpi, or install what it lacks: ldd "+p.File, "%s, and not all that it needs is there", needs)
	case !process.Ours(p.MPI, folder):
		return bad(Differ, "make libmpi", "%s and takes %s, as sctpmpi's libraries are not in %s", needs, p.MPI.Path, folder)
	}
	return good("%s, and takes sctpmpi's", needs)
}
