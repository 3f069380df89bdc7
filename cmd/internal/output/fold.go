package output

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// line is a line that sources have held.
type line struct {
	text    string // as the first of them has written it, without its newline
	sources []int  // their numbers
}

// Fold passes on what is held of some sources, which it sorts by their numbers, and all that comes after it at once.
// Where several have written the same line it is written once, with their number: "text (255 ranks)", or, if sources
// have labels, "[0-254] text". Lines are the same if they differ in nothing but the date and time that package log puts
// before them. The lines of each source stay in order.
func (s *Sink) Fold(sources []*Forwarder) {
	slices.SortFunc(sources, func(a, b *Forwarder) int { return a.number - b.number })
	written, labelled := make(map[int]string), false
	var numbers []int
	for _, f := range sources {
		f.hold.mu.Lock()
		defer f.hold.mu.Unlock()
		if kept := f.hold.end(); len(kept) > 0 {
			numbers = append(numbers, f.number)
			written[f.number] = string(kept)
			labelled = labelled || f.label != ""
		}
	}
	var out strings.Builder
	texts := gather(numbers, written)
	var lines []line
	for batch := range slices.Chunk(texts, maxMerged) {
		lines = append(lines, merge(batch)...)
	}
	for _, l := range lines {
		switch {
		case labelled:
			fmt.Fprintf(&out, "[%s] %s\n", ranges(l.sources), l.text)
		case len(l.sources) > 1:
			fmt.Fprintf(&out, "%s (%d ranks)\n", l.text, len(l.sources))
		default:
			fmt.Fprintln(&out, l.text)
		}
	}
	if out.Len() > 0 {
		s.write(nil, []byte(out.String()), true)
	}
}

// stamp is what package log puts before a line unless told otherwise.
var stamp = regexp.MustCompile(`^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(\.\d+)? `)

// maxMerged bounds the different texts whose lines are compared one by one: more are merged in batches.
const maxMerged = 64

// text is what some sources have written, line by line.
type text struct {
	lines   []string
	sources []int // ascending
}

// gather makes texts of what sources have written, one of those that are the same.
func gather(numbers []int, written map[int]string) []*text {
	var texts []*text
	known := make(map[string]*text)
	for _, n := range numbers {
		lines := strings.Split(strings.TrimSuffix(written[n], "\n"), "\n")
		keys := make([]string, len(lines))
		for i, l := range lines {
			keys[i] = key(l)
		}
		whole := strings.Join(keys, "\n")
		if known[whole] == nil {
			known[whole] = &text{lines: lines}
			texts = append(texts, known[whole])
		}
		known[whole].sources = append(known[whole].sources, n)
	}
	return texts
}

// merge makes one sequence of the lines of all texts. A line that another text will still come to waits for it, if it can.
func merge(texts []*text) []line {
	left := make(map[string]int) // how often a line will still come, by its key
	for _, t := range texts {
		for _, l := range t.lines {
			left[key(l)]++
		}
	}
	var merged []line
	for {
		next := choose(texts, left)
		if len(next) == 0 {
			return merged
		}
		l := line{text: next[0].lines[0]}
		left[key(l.text)] -= len(next)
		for _, t := range next {
			l.sources = append(l.sources, t.sources...)
			t.lines = t.lines[1:]
		}
		slices.Sort(l.sources)
		merged = append(merged, l)
	}
}

// choose returns the texts that begin with the line which is to be written next: one that no other text will still come
// to, or else the first one's.
func choose(texts []*text, left map[string]int) []*text {
	heads := make(map[string][]*text)
	var first []*text
	for _, t := range texts {
		if len(t.lines) == 0 {
			continue
		}
		k := key(t.lines[0])
		heads[k] = append(heads[k], t)
		if len(heads[k]) == left[k] {
			return heads[k]
		}
		if first == nil || k == key(first[0].lines[0]) {
			first = heads[k]
		}
	}
	return first
}

// key is what makes a line the same as another.
func key(text string) string { return stamp.ReplaceAllString(text, "") }

// ranges writes ascending numbers as 0-3,7.
func ranges(numbers []int) string {
	var b strings.Builder
	for i := 0; i < len(numbers); {
		last := i
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprint(&b, numbers[i])
		if last > i {
			fmt.Fprintf(&b, "-%d", numbers[last])
		}
		i = last + 1
	}
	return b.String()
}
