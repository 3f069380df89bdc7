package process

import (
	"fmt"
	"os"
	"path/filepath"
)

// libraryPath is where the dynamic linker looks first.
const libraryPath = "LD_LIBRARY_PATH"

// libraryOf is the library of each ABI for C programs.
var libraryOf = map[string]string{"std": "libmpi_abi.so.1", "mpich": "libmpich.so.12"}

// CheckABI says why there is no such ABI, nil if there is.
func CheckABI(abi string) error {
	if libraryOf[abi] == "" {
		return fmt.Errorf("--abi %s: there are std and mpich", abi)
	}
	return nil
}

// Libraries returns the setting by which ranks of this host take MPI from our libraries for C programs, whatever they have been
// linked with; none if abi is empty. The libraries are in lib, beside the directory of this mpirun. Environment is what the ranks
// have else.
func Libraries(abi string, environment []string) ([]string, error) {
	if abi == "" {
		return nil, nil
	}
	mpirun, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return libraries(abi, mpirun, environment)
}

func libraries(abi, mpirun string, environment []string) ([]string, error) {
	if err := CheckABI(abi); err != nil {
		return nil, err
	}
	library := libraryOf[abi]
	if real, err := filepath.EvalSymlinks(mpirun); err == nil {
		mpirun = real
	}
	folder := filepath.Join(filepath.Dir(filepath.Dir(mpirun)), "lib")
	if _, err := os.Stat(filepath.Join(folder, library)); err != nil {
		return nil, fmt.Errorf("--abi %s: there is no %s in %s; make libmpi builds it", abi, library, folder)
	}
	path := folder
	if inherited := Lookup(environment, libraryPath); inherited != "" {
		path += ":" + inherited
	}
	return []string{libraryPath + "=" + path}, nil
}
