package hang

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

// MaxLines bounds what Lines returns, but for the last line that counts the rest.
const MaxLines = 16

// Lines says what ranks wait for, in one line for all those that say the same. If that makes
// too many lines, those that wait in the same calls are one line.
func Lines(ranks []Rank) []string {
	ranks = slices.Clone(ranks)
	sort.Slice(ranks, func(i, k int) bool { return ranks[i].Rank < ranks[k].Rank }) // by package sort: see rpi.Snapshot.Sort
	groups := fold(ranks, Rank.key)
	if len(groups) > MaxLines {
		groups = fold(ranks, Rank.callsOnly)
	}
	var lines []string
	left := 0
	for i, g := range groups {
		if i < MaxLines {
			lines = append(lines, g.line())
		} else {
			left += len(g.ranks)
		}
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("and %d more ranks, in other states", left))
	}
	return lines
}

// group is ranks of which all say the same, but for times.
type group struct {
	key         string
	said        Rank
	ranks       []int
	least, most []time.Duration // by wait
}

// fold makes groups of the ranks with equal keys, and keeps of each what the key function
// has left in it.
func fold(ranks []Rank, key func(Rank) (string, Rank)) []*group {
	var groups []*group
	byKey := make(map[string]*group)
	for _, r := range ranks {
		k, said := key(r)
		g := byKey[k]
		if g == nil {
			g = &group{key: k, said: said}
			byKey[k], groups = g, append(groups, g)
			for _, w := range said.Waits {
				g.least, g.most = append(g.least, w.Time), append(g.most, w.Time)
			}
		}
		g.ranks = append(g.ranks, r.Rank)
		for i, w := range said.Waits {
			g.least[i], g.most[i] = min(g.least[i], w.Time), max(g.most[i], w.Time)
		}
	}
	return groups
}

// key has all that a rank says, but for its number and times.
func (r Rank) key() (string, Rank) {
	parts := []string{r.State, r.Beside, strconv.Itoa(r.More)}
	for _, w := range r.Waits {
		parts = append(parts, w.In, w.At, w.For)
	}
	return strings.Join(parts, "\n"), r
}

// callsOnly leaves of what a rank says only which calls it waits in.
func (r Rank) callsOnly() (string, Rank) {
	short := Rank{State: r.State}
	for _, w := range r.Waits {
		if !slices.ContainsFunc(short.Waits, func(s Wait) bool { return s.In == w.In && s.At == w.At }) {
			short.Waits = append(short.Waits, Wait{In: w.In, At: w.At, Time: w.Time})
		}
	}
	return short.key()
}

func (g *group) line() string {
	var b strings.Builder
	verb := "waits"
	if len(g.ranks) == 1 {
		b.WriteString("rank ")
	} else {
		verb = "wait"
		b.WriteString("ranks ")
	}
	b.WriteString(List(g.ranks))
	b.WriteByte(' ')
	switch {
	case g.said.State != "":
		b.WriteString(g.said.State)
	case len(g.said.Waits) == 0:
		b.WriteString(verb + " in no MPI call")
	default:
		b.WriteString(verb)
	}
	for i, w := range g.said.Waits {
		if i > 0 {
			b.WriteString("; and")
		}
		b.WriteString(" " + span(g.least[i], g.most[i]) + w.String())
	}
	if g.said.More > 0 {
		fmt.Fprintf(&b, "; and in %d more calls", g.said.More)
	}
	if g.said.Beside != "" {
		b.WriteString("; " + g.said.Beside)
	}
	return b.String()
}

// String says in which call, for what and where, with a space before it.
func (w Wait) String() string {
	var b strings.Builder
	if w.In != "" {
		b.WriteString(" in " + w.In)
	}
	if w.For != "" {
		b.WriteString(" " + w.For)
	}
	if w.At != "" {
		b.WriteString(", at " + w.At)
	}
	return b.String()
}

// List writes rising numbers as "0, 2-5, 9". Of many it has the first and how many there are.
func List(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		part := strconv.Itoa(numbers[i])
		switch {
		case j == i+1:
			part += ", " + strconv.Itoa(numbers[j])
		case j > i:
			part += "-" + strconv.Itoa(numbers[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	const most = 8
	if len(parts) > most {
		parts = append(parts[:most], "...")
		return fmt.Sprintf("%s (%d)", strings.Join(parts, ", "), len(numbers))
	}
	return strings.Join(parts, ", ")
}

// span says how long waits have lasted.
func span(least, most time.Duration) string {
	from, to := clock(least), clock(most)
	if from == to {
		return from
	}
	return from + " to " + to
}

func clock(d time.Duration) string {
	switch {
	case d < time.Second:
		return "less than 1 s"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%d h", d/time.Hour)
}
