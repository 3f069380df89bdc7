package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// libraryPath is where the dynamic linker looks first.
const libraryPath = "LD_LIBRARY_PATH"

// libraryOf is the library of each ABI for C programs.
var libraryOf = map[string]string{"std": "libmpi_abi.so.1", "mpich": "libmpich.so.12"}

// withLibraries adds to an environment that the ranks take MPI from our libraries for C programs, whatever they have been linked
// with. The libraries are in lib, beside the directory of mpirun. inherited is the path that the ranks have else.
func withLibraries(environment []string, abi, mpirun, inherited string) ([]string, error) {
	library, ok := libraryOf[abi]
	if !ok {
		return nil, fmt.Errorf("--abi %s: there are std and mpich", abi)
	}
	if real, err := filepath.EvalSymlinks(mpirun); err == nil {
		mpirun = real
	}
	folder := filepath.Join(filepath.Dir(filepath.Dir(mpirun)), "lib")
	if _, err := os.Stat(filepath.Join(folder, library)); err != nil {
		return nil, fmt.Errorf("--abi %s: there is no %s in %s; make libmpi builds it", abi, library, folder)
	}
	for _, setting := range environment {
		if path, ok := strings.CutPrefix(setting, libraryPath+"="); ok {
			inherited = path
		}
	}
	if inherited != "" {
		folder += ":" + inherited
	}
	return append(environment, libraryPath+"="+folder), nil
}
