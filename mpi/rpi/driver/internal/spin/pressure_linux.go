package spin

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

// openPressure returns a function that tells for how long programs have waited for a processor so
// far, because others had them all. Linux counts that (pressure stall information), for our control
// group or else for the whole system. It returns nil where that is not counted.
func openPressure() func() (time.Duration, error) {
	for _, name := range []string{groupPressure(), "/proc/pressure/cpu"} {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		pressure := func() (time.Duration, error) {
			var b [256]byte
			n, _ := f.ReadAt(b[:], 0) // which is short
			return parsePressure(b[:n])
		}
		if _, err := pressure(); err == nil {
			return pressure
		}
		f.Close()
	}
	return nil
}

// groupPressure is the name of the file about the process's control group, of version 2.
func groupPressure() string {
	groups, _ := os.ReadFile("/proc/self/cgroup")
	for line := range bytes.Lines(groups) {
		if path, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("0::")); ok {
			return fmt.Sprintf("/sys/fs/cgroup%s/cpu.pressure", path)
		}
	}
	return ""
}

var errPressure = errors.New("no line of the form \"some … total=…\"")

// parsePressure returns the total, in microseconds, of the first line.
func parsePressure(b []byte) (time.Duration, error) {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	_, total, ok := bytes.Cut(line, []byte(" total="))
	if !ok || !bytes.HasPrefix(line, []byte("some ")) {
		return 0, errPressure
	}
	us, err := strconv.ParseInt(string(total), 10, 64)
	return time.Duration(us) * time.Microsecond, err
}
