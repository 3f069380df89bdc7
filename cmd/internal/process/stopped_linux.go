package process

import (
	"bytes"
	"fmt"
	"os"
)

// Stopped reports whether the process has been stopped by a signal, or by a debugger: the state behind its name in /proc/PID/stat is T or t.
func (p *Process) Stopped() bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid()))
	if err != nil {
		return false
	}
	state := bytes.TrimLeft(text[bytes.LastIndexByte(text, ')')+1:], " ")
	return len(state) > 0 && (state[0] == 'T' || state[0] == 't')
}
