package netem

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// Units from the largest to the smallest.
var (
	timeUnits = []unit[time.Duration]{{"s", time.Second}, {"ms", time.Millisecond}, {"us", time.Microsecond}, {"ns", time.Nanosecond}}
	rateUnits = []unit[BitRate]{{"gbit", Gbit}, {"mbit", Mbit}, {"kbit", Kbit}, {"bit", Bit}}
)

type unit[T ~int64 | ~uint64] struct {
	name string
	size T
}

// Parse reads conditions in the notation of tc-netem(8), in any order:
//
//	delay TIME [JITTER]             TIME such as 1.5ms; the units are s, ms, us and ns
//	loss PERCENT                    such as 0.1%
//	loss gemodel P [R [1-H [1-K]]]  Gilbert–Elliott; R is 100%-P, 1-H is 100% and 1-K is 0% unless they are given
//	duplicate PERCENT
//	reorder PERCENT
//	corrupt PERCENT
//	rate RATE                       such as 10mbit; the units are gbit, mbit, kbit and bit
//	limit PACKETS
//
// Units and percent signs must be there: without them tc has surprising defaults. What tc has beyond that, correlations,
// distributions, gaps and slots, is refused.
func Parse(text string) (Conditions, error) {
	p := parser{words: strings.Fields(text), seen: map[string]bool{}}
	for len(p.words) > 0 {
		if err := p.clause(p.next()); err != nil {
			return Conditions{}, fmt.Errorf("netem: %q: %w", text, err)
		}
	}
	if err := p.c.Validate(); err != nil {
		return Conditions{}, err
	}
	return p.c, nil
}

type parser struct {
	words []string
	seen  map[string]bool
	c     Conditions
}

// clause reads what follows a keyword.
func (p *parser) clause(keyword string) (err error) {
	if p.seen[keyword] {
		return fmt.Errorf("%s is there twice", keyword)
	}
	p.seen[keyword] = true
	switch keyword {
	case "delay":
		if p.c.Delay, err = value(p.next(), timeUnits); err == nil && p.number() {
			p.c.Jitter, err = value(p.next(), timeUnits)
		}
	case "loss":
		if len(p.words) > 0 && p.words[0] == "gemodel" {
			p.next()
			err = p.burst()
		} else {
			p.c.Loss, err = percent(p.next())
		}
	case "duplicate":
		p.c.Duplicate, err = percent(p.next())
	case "reorder":
		p.c.Reorder, err = percent(p.next())
	case "corrupt":
		p.c.Corrupt, err = percent(p.next())
	case "rate":
		p.c.Rate, err = value(p.next(), rateUnits)
	case "limit":
		word := p.next()
		limit, e := strconv.ParseUint(word, 10, 31)
		if e != nil || limit == 0 {
			return fmt.Errorf("limit %q: a number of packets was expected, such as 1000", word)
		}
		p.c.Limit = uint32(limit)
	default:
		return fmt.Errorf("%q is none of delay, loss, duplicate, reorder, corrupt, rate and limit", keyword)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", keyword, err)
	}
	return nil
}

// burst reads the parameters of the Gilbert–Elliott model.
func (p *parser) burst() (err error) {
	b := &p.c.LossBurst
	if b.P, err = percent(p.next()); err != nil {
		return err
	}
	b.R, b.LossBad = 100-b.P, 100
	for _, parameter := range []*Percent{&b.R, &b.LossBad, &b.LossGood} {
		if !p.number() {
			break
		}
		if *parameter, err = percent(p.next()); err != nil {
			return err
		}
	}
	return nil
}

// next takes the next word, which is empty at the end.
func (p *parser) next() string {
	if len(p.words) == 0 {
		return ""
	}
	word := p.words[0]
	p.words = p.words[1:]
	return word
}

// number reports whether the next word is meant to be one.
func (p *parser) number() bool {
	return len(p.words) > 0 && strings.ContainsAny(p.words[0][:1], "0123456789.+-")
}

func percent(word string) (Percent, error) {
	digits, ok := strings.CutSuffix(word, "%")
	f, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || !decimal(digits) {
		return 0, fmt.Errorf("%q: a share was expected, such as 0.5%%", word)
	}
	return Percent(f), nil
}

// value reads a number with a unit. It must be a whole number of the smallest unit.
func value[T ~int64 | ~uint64](word string, units []unit[T]) (T, error) {
	digits := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyz")
	for _, u := range units {
		if digits+u.name != word || !decimal(digits) {
			continue
		}
		n, ok := new(big.Rat).SetString(digits)
		if !ok {
			break
		}
		n.Mul(n, new(big.Rat).SetInt64(int64(u.size)))
		if !n.IsInt() || !n.Num().IsInt64() {
			return 0, fmt.Errorf("%q is too large or too precise", word)
		}
		return T(n.Num().Int64()), nil
	}
	return 0, fmt.Errorf("%q: a number with a unit was expected, such as 10%s", word, units[1].name)
}

// decimal reports whether a number is written with a few digits and a point alone.
func decimal(digits string) bool {
	return len(digits) > 0 && len(digits) <= 40 && strings.Trim(digits, "0123456789.") == ""
}
