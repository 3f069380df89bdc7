package sight

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ending is how the names of sockets end. They begin with the process number of mpirun.
const ending = ".sock"

// folders are where sockets may be, the first one best: a session may have an XDG_RUNTIME_DIR or a TMPDIR, and another one not.
func folders() (list []string) {
	own := "sctpmpi-" + strconv.Itoa(os.Geteuid())
	for _, base := range []string{os.Getenv("XDG_RUNTIME_DIR"), "/run/user/" + strconv.Itoa(os.Geteuid()), os.TempDir(), "/tmp"} {
		if folder := filepath.Join(base, own); filepath.IsAbs(base) && !slices.Contains(list, folder) {
			list = append(list, folder)
		}
	}
	return list
}

// makeFolder makes a folder unless it is there. It refuses one that another user could change or see.
func makeFolder(folder string) error {
	if err := os.Mkdir(folder, 0o700); err != nil && !os.IsExist(err) {
		return err
	}
	return private(folder)
}

// private returns an error if a folder is not this user's alone.
func private(folder string) error {
	info, err := os.Lstat(folder)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no folder", folder)
	case owner(info) != os.Geteuid():
		return fmt.Errorf("%s is another user's", folder)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s has the mode %#o, by which others may use it: chmod 700 %[1]s", folder, info.Mode().Perm())
	}
	return nil
}

// sockets are the files of sockets, in all folders that are this user's alone, with the process numbers of their mpiruns.
func sockets() (files map[string]int) {
	files = make(map[string]int)
	for _, folder := range folders() {
		if private(folder) != nil {
			continue
		}
		entries, _ := os.ReadDir(folder)
		for _, e := range entries {
			number, _, _ := strings.Cut(e.Name(), ".")
			if pid, err := strconv.Atoi(number); err == nil && strings.HasSuffix(e.Name(), ending) {
				files[filepath.Join(folder, e.Name())] = pid
			} else if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > time.Minute {
				_ = os.Remove(filepath.Join(folder, e.Name())) // of an mpirun that was killed before its socket had its name
			}
		}
	}
	return files
}
