package metrics

import (
	"strconv"
	"strings"
)

// exposition is text for Prometheus, of one of two formats: OpenMetrics 1.0, or its own, 0.0.4, which differs in little. It is written
// here because a job of a thousand ranks has tens of thousands of series: as text they need nothing but the text, once for each look.
type exposition struct {
	text []byte
	open bool // OpenMetrics
	name string
	last string // what ends the names of samples
}

// The types of metrics.
const (
	counter   = "counter"
	gauge     = "gauge"
	histogram = "histogram"
)

// metric is what samples with one name have in common. The name of a counter has no _total.
type metric struct{ name, kind, help string }

// begin begins a metric.
func (e *exposition) begin(m metric) {
	e.name, e.last = m.name, ""
	family := m.name
	if m.kind == counter {
		e.last = "_total"
		if !e.open {
			family += e.last
		}
	}
	e.line("# HELP ", family, " ", m.help)
	e.line("# TYPE ", family, " ", m.kind)
	if !e.open {
		return
	}
	for _, unit := range []string{"seconds", "bytes"} {
		if strings.HasSuffix(family, "_"+unit) {
			e.line("# UNIT ", family, " ", unit)
		}
	}
}

// add adds a sample of the metric. Labels are names and values in turn.
func (e *exposition) add(value float64, labels ...string) {
	e.addTo(e.last, e.number(value), labels...)
}

func (e *exposition) addTo(suffix, value string, labels ...string) {
	e.text = append(append(e.text, e.name...), suffix...)
	for i := 0; i+1 < len(labels); i += 2 {
		mark := byte(',')
		if i == 0 {
			mark = '{'
		}
		e.text = append(append(append(e.text, mark), labels[i]...), `="`...)
		e.text = append(append(e.text, escape.Replace(strings.ToValidUTF8(labels[i+1], "\ufffd"))...), '"')
	}
	if len(labels) > 0 {
		e.text = append(e.text, '}')
	}
	e.text = append(append(append(e.text, ' '), value...), '\n')
}

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// number writes whole numbers in OpenMetrics as 1.0: limits of histograms must be written so, and Prometheus's library writes all so but
// counts of histograms.
func (e *exposition) number(value float64) string {
	text := strconv.FormatFloat(value, 'g', -1, 64)
	if e.open && !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

func (e *exposition) line(parts ...string) {
	for _, p := range parts {
		e.text = append(e.text, p...)
	}
	e.text = append(e.text, '\n')
}

// end ends the text.
func (e *exposition) end() []byte {
	if e.open {
		e.line("# EOF")
	}
	return e.text
}
