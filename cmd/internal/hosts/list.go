// Package hosts reads which hosts a job may use, and decides which of its ranks run on which of them.
package hosts

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Bounds of a list.
const (
	maxSlots = 1 << 20 // of a host
	maxHosts = 4096
	maxName  = 255     // bytes of the name of a host, user included
	maxFile  = 1 << 20 // bytes of a file of hosts
)

// Host is a host that a job may use.
type Host struct {
	// Name is what the remote shell calls it.
	Name string
	// Slots is how many ranks it is for; 0: the user has not said.
	Slots int
}

// List is hosts in the order in which the user has named them, each once.
type List []Host

// add enters a host. One that is named again, in small or capital letters, has more slots.
func (l List) add(name string, slots int) (List, error) {
	for i := range l {
		if strings.EqualFold(l[i].Name, name) {
			if l[i].Slots = l[i].slots() + max(slots, 1); l[i].Slots > maxSlots {
				return nil, fmt.Errorf("%s has more than %d slots", name, maxSlots)
			}
			return l, nil
		}
	}
	if len(l) == maxHosts {
		return nil, fmt.Errorf("there can be %d hosts at most", maxHosts)
	}
	return append(l, Host{name, slots}), nil
}

// slots counts a host without a number as one for one rank.
func (h Host) slots() int { return max(h.Slots, 1) }

// Slots is how many ranks all hosts together are for.
func (l List) Slots() int {
	n := 0
	for _, h := range l {
		n = min(n+h.slots(), 1<<30) // more are of no use
	}
	return n
}

// Parse reads hosts as in a:4,b: each with its slots after a colon, if it has some.
func Parse(text string) (List, error) {
	var list List
	for word := range strings.SplitSeq(text, ",") {
		name, slots, err := parseHost(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		if list, err = list.add(name, slots); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// ReadFile reads a file of hosts: see [Read]. Errors name the file.
func ReadFile(name string) (List, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	list, err := Read(file)
	if _, named := errors.AsType[*fs.PathError](err); err != nil && !named {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return list, err
}

// Read reads hosts, one a line, as other launchers have them: "a:4", "a slots=4" or just "a". Other settings of a
// line, such as max_slots=8, do not count, nor what comes after #. Errors name the line.
func Read(in io.Reader) (List, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("a list of hosts has %d bytes at most", maxFile)
	}
	var list List
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if list, err = list.addLine(fields); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("it names no host")
	}
	return list, nil
}

// addLine enters the host of a line.
func (l List) addLine(fields []string) (List, error) {
	name, slots, err := parseHost(fields[0])
	if err != nil {
		return nil, err
	}
	for _, field := range fields[1:] {
		key, value, setting := strings.Cut(field, "=")
		switch {
		case !setting:
			return nil, fmt.Errorf("what is %s? A line has one host, and settings such as slots=4", shown(field))
		case key == "slots":
			if slots, err = parseSlots(field, value); err != nil {
				return nil, err
			}
		}
	}
	return l.add(name, slots)
}

// parseHost reads "name" or "name:slots", 0 slots without a number. An IPv6 address with slots stands in brackets.
func parseHost(word string) (name string, slots int, err error) {
	name = word
	if rest, ok := strings.CutPrefix(word, "["); ok {
		inside, after, closed := strings.Cut(rest, "]")
		if !closed || after != "" && after[0] != ':' {
			return "", 0, wrongName(word)
		}
		if !isAddress(inside) {
			return "", 0, fmt.Errorf("%s: there is no address in the brackets", shown(word))
		}
		if after != "" {
			slots, err = parseSlots(word, after[1:])
		}
		return inside, slots, err
	}
	if isAddress(word) {
		return name, slots, nil
	}
	if before, after, ok := strings.Cut(word, ":"); ok {
		if strings.Contains(after, ":") {
			return "", 0, wrongName(word)
		}
		name = before
		if slots, err = parseSlots(word, after); err != nil {
			return "", 0, err
		}
	}
	if !isName(name) {
		return "", 0, wrongName(word)
	}
	return name, slots, nil
}

// isAddress reports whether a word is an address. Its zone, such as eth0, is for a remote shell as a name is: see isName.
func isAddress(word string) bool {
	addr, err := netip.ParseAddr(word)
	return err == nil && (addr.Zone() == "" || isPart(addr.Zone()))
}

// isName: "host" or "user@host". Remote shells give names a meaning of their own: neither part may be an option for one, nor have
// characters that mean something to a shell.
func isName(name string) bool {
	user, host, named := strings.Cut(name, "@")
	if !named {
		user, host = "user", name
	}
	return isPart(user) && isPart(host) && len(name) <= maxName
}

func isPart(s string) bool {
	strange := strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-+", r))
	})
	return s != "" && s[0] != '-' && !strange && len(s) <= maxName
}

func wrongName(word string) error {
	return fmt.Errorf("%s is not the name of a host: that has letters, digits and . _ - + in it, and no - first", shown(word))
}

// shown is a word as messages show it: quoted, and not at any length.
func shown(word string) string {
	if len(word) > 60 {
		return fmt.Sprintf("%.60q…", word)
	}
	return strconv.Quote(word)
}

func parseSlots(word, text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n < 1 || n > maxSlots {
		return 0, fmt.Errorf("%s: slots must be a number from 1 to %d", strings.Trim(shown(word), `"`), maxSlots)
	}
	return int(n), nil
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
