package trace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
)

// The folder of a trace may be open to all users, as /tmp is. So the parts are made anew, and what is a link is neither written to nor
// read.

// FileOf is the file of a rank of a trace with this name.
func FileOf(name string, rank int) string { return name + "." + strconv.Itoa(rank) }

// Clear removes the files that the ranks of an earlier job have left of a trace with this name.
func Clear(name string, ranks int) error {
	for rank := range ranks {
		if err := clearPart(name, rank); err != nil {
			return err
		}
	}
	return nil
}

func clearPart(name string, rank int) error {
	if err := os.Remove(FileOf(name, rank)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the file of rank %d: %w", rank, err)
	}
	return nil
}

// CreateWhole makes the file of all ranks, or empties it.
func CreateWhole(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|noFollow, 0o666)
	if is, problem := os.Lstat(name); err != nil && problem == nil && is.Mode()&fs.ModeSymlink != 0 {
		err = fmt.Errorf("%s is a link, which another user may have laid: name the file that is to be written", name)
	}
	return file, err
}

// createPart makes the file of a rank.
func createPart(name string, rank int) (*os.File, error) {
	_ = os.Remove(FileOf(name, rank)) // if it is still there, that is the error
	return os.OpenFile(FileOf(name, rank), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// openPart opens the file of a rank.
func openPart(name string, rank int) (*os.File, error) {
	is, err := os.Lstat(FileOf(name, rank))
	if err != nil {
		return nil, err
	}
	noPart := fmt.Errorf("%s is no file of a rank", FileOf(name, rank))
	if !is.Mode().IsRegular() {
		return nil, noPart // the open of a pipe would wait
	}
	part, err := os.Open(FileOf(name, rank))
	if err != nil {
		return nil, err
	}
	if opened, err := part.Stat(); err != nil || !os.SameFile(is, opened) {
		_ = part.Close()
		return nil, noPart
	}
	return part, nil
}
