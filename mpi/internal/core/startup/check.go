package startup

import (
	"errors"
	"strings"
)

// Check is what the user wants to have checked of a program, beyond what always is.
type Check struct {
	Types   bool // of elements, in C programs: see datatype.Declare. Go programs always have them checked
	Buffers bool // that the program does not change them while operations are under way
}

func (c Check) String() string {
	switch {
	case c.Types && c.Buffers:
		return "types,buffers"
	case c.Types:
		return "types"
	case c.Buffers:
		return "buffers"
	}
	return "length"
}

// ParseCheck reads the value of rpi.EnvCheck.
func ParseCheck(value string) (c Check, err error) {
	if value == "" {
		return c, nil
	}
	for what := range strings.SplitSeq(value, ",") {
		switch what {
		case "length":
		case "types":
			c.Types = true
		case "buffers":
			c.Buffers = true
		default:
			return Check{}, errors.New("it must be length, types or buffers, or types,buffers")
		}
	}
	return c, nil
}
