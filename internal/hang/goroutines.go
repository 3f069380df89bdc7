package hang

import (
	"runtime"
	"strings"
)

// dumpLimit bounds the stacks that Goroutines looks at, in bytes: some thousand goroutines.
const dumpLimit = 4 << 20

// Goroutines looks at the stacks of all goroutines. Inside is how many are in a call of this
// library. Others says that the program has goroutines that may go on by themselves: that
// compute, sleep, or wait for anything but for another goroutine by package sync. That one waits
// for a channel counts too, as it may be a timer's. If there are too many to look at, others is
// true.
func Goroutines() (inside int, others bool) {
	buf := make([]byte, 64<<10)
	n := runtime.Stack(buf, true)
	for n == len(buf) && len(buf) < dumpLimit {
		buf = make([]byte, 4*len(buf))
		n = runtime.Stack(buf, true)
	}
	if n == len(buf) {
		return 0, true
	}
	_, all, _ := strings.Cut(string(buf[:n]), "\n\n") // the first is the one that asks
	return classify(all)
}

// classify is Goroutines of a dump.
func classify(dump string) (inside int, others bool) {
	for stack := range strings.SplitSeq(dump, "\n\n") {
		switch state, kind := read(stack); {
		case kind == library:
			inside++
		case kind == program && !waitsForOthers[state]:
			others = true
		}
	}
	return inside, others
}

type kind uint8

const (
	background kind = iota // of this library, or of Go's
	library                // of the program, in a call of this library
	program                // of the program
)

// waitsForOthers are the states of goroutines that only another goroutine can wake, or none.
var waitsForOthers = map[string]bool{
	"semacquire": true, "sync.Cond.Wait": true, "sync.Mutex.Lock": true, "sync.RWMutex.Lock": true,
	"sync.RWMutex.RLock": true, "sync.WaitGroup.Wait": true,
	"select (no cases)": true, "chan receive (nil chan)": true, "chan send (nil chan)": true,
}

// read reads the state of a goroutine and sees what it is.
func read(stack string) (state string, k kind) {
	head, frames, _ := strings.Cut(stack, "\n")
	_, state, _ = strings.Cut(head, "[")
	state, _, _ = strings.Cut(state, "]")
	state, _, _ = strings.Cut(state, ",")
	ours := false
	for line := range strings.SplitSeq(frames, "\n") {
		switch {
		case line == "" || line[0] == '\t' || strings.HasPrefix(line, "created by "):
		case hasPrefix(line, libraryPackages):
			ours = true
		case hasPrefix(line, standardPackages):
		case ours:
			return state, library
		default:
			return state, program
		}
	}
	return state, background
}

func hasPrefix(line string, prefixes []string) bool {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(line, p); ok && rest != "" && (rest[0] == '.' || rest[0] == '/') {
			return true
		}
	}
	return false
}

const module = "github.com/sctpmpi/sctpmpi/"

// libraryPackages are those that run in a program's process, with all below them.
var libraryPackages = []string{module + "mpi", module + "matching", module + "sctprpi", module + "tcprpi", module + "internal"}

// standardPackages are Go's that may be between a program and this library, or have goroutines
// of their own.
var standardPackages = []string{
	"bufio", "bytes", "encoding", "fmt", "strings", "runtime", "internal", "sync", "syscall", "os", "net", "io", "time", "context", "reflect", "iter", "slices",
	"maps", "testing", "log", "crypto", "database", "golang.org/x",
}
