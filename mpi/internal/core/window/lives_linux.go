package window

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// lives reports whether a process of this host has not ended. One of which its parent has not taken notice yet has.
func lives(process uint32) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	_, state, found := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" ")) // behind its name, which may have blanks
	return !found || len(state) == 0 || state[0] != 'Z' && state[0] != 'X'
}
