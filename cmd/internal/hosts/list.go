// Package hosts reads which hosts a job may use, and decides which of its ranks run on which of them.
package hosts

import (
	"bufio"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// maxSlots bounds the slots of a host.
const maxSlots = 1 << 20

// Host is a host that a job may use.
type Host struct {
	// Name is what the remote shell calls it.
	Name string
	// Slots is how many ranks it is for.
	Slots int
}

// List is hosts in the order in which the user has named them, each once.
type List []Host

// add enters a host. One that is named again has more slots.
func (l List) add(name string, slots int) List {
	for i := range l {
		if l[i].Name == name {
			l[i].Slots += slots
			return l
		}
	}
	return append(l, Host{name, slots})
}

// Slots is how many ranks all hosts together are for.
func (l List) Slots() int {
	n := 0
	for _, h := range l {
		n += h.Slots
	}
	return n
}

// Parse reads hosts as in a:4,b: each with its slots after a colon, 1 if it has none.
func Parse(text string) (List, error) {
	var list List
	for word := range strings.SplitSeq(text, ",") {
		name, slots, err := parseHost(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		list = list.add(name, slots)
	}
	return list, nil
}

// ReadFile reads a file of hosts: see [Read].
func ReadFile(name string) (List, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	list, err := Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

// Read reads hosts, one a line, as other launchers have them: "a:4", "a slots=4" or just "a", for 1 slot. What else a line
// says, such as max_slots=8, does not count, nor what comes after #.
func Read(in io.Reader) (List, error) {
	var list List
	lines := bufio.NewScanner(in)
	for number := 1; lines.Scan(); number++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		name, slots, err := parseHost(fields[0])
		for _, field := range fields[1:] {
			if value, ok := strings.CutPrefix(field, "slots="); ok && err == nil {
				slots, err = parseSlots(field, value)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		list = list.add(name, slots)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("it names no host")
	}
	return list, nil
}

// parseHost reads "name" or "name:slots". An IPv6 address with slots stands in brackets.
func parseHost(word string) (name string, slots int, err error) {
	name, slots = word, 1
	_, notAddress := netip.ParseAddr(word)
	if i := strings.LastIndexByte(word, ':'); i >= 0 && notAddress != nil && !strings.HasSuffix(word, "]") {
		name = word[:i]
		if slots, err = parseSlots(word, word[i+1:]); err != nil {
			return "", 0, err
		}
	}
	if inside, ok := strings.CutPrefix(name, "["); ok {
		name = strings.TrimSuffix(inside, "]")
	}
	if name == "" || name[0] == '-' || strings.ContainsAny(name, " \t'\"\\") {
		return "", 0, fmt.Errorf("%q is not the name of a host", word)
	}
	return name, slots, nil
}

func parseSlots(word, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxSlots {
		return 0, fmt.Errorf("%s: slots must be a number from 1 to %d", word, maxSlots)
	}
	return n, nil
}

// IsLocal reports whether a name is of this host: localhost, its own name, or an address of it.
func IsLocal(name string) bool {
	if own, err := os.Hostname(); name == "localhost" || err == nil && isOwn(name, own) {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && rpi.IsLocal(addr)
}

// isOwn: the own name may have a domain that the user leaves out.
func isOwn(name, own string) bool {
	short, _, _ := strings.Cut(own, ".")
	return name == own || name == short
}
