package rpi

import "slices"

// Nearest is the known name that a mistaken one is most like: with few letters to change, and not the first or last ones. Not found:
// none is like it.
func Nearest(name string, known []string) (near string, found bool) {
	if len(known) == 0 {
		return "", false
	}
	unlike := func(known string) int { return distance(name, known) - common(name, known) }
	near = slices.MinFunc(known, func(a, b string) int { return unlike(a) - unlike(b) })
	return near, 2*unlike(near) < len(name)
}

// common is how many letters a and b have in common at their beginning and at their end.
func common(a, b string) int {
	first, last, shorter := 0, 0, min(len(a), len(b))
	for first < shorter && a[first] == b[first] {
		first++
	}
	for last < shorter && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	return first + last
}

// distance is how many letters have to be inserted, removed or replaced to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
