package enginebench

import (
	"maps"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/machine"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/stat"
)

// Figures are results by their names, which say the unit.
type Figures map[string]float64

// Report is what has been found out.
type Report struct {
	// Those of a contender that was not asked for, or has failed, are nil.
	Engine Figures `json:"engine"`
	RawUDP Figures `json:"rawudp"`
	TCP    Figures `json:"tcp"`
	Pion   Figures `json:"pion"`
	// Ratio has the engine's figures divided by those of each other contender.
	Ratio map[string]Figures `json:"ratio"`
	// Idle is nil if the engine was not asked for, or has failed.
	Idle    *Idle           `json:"idle"`
	Machine machine.Machine `json:"machine"`
	Options Settings        `json:"settings"`
	// Errors says why figures are missing, by contender, "idle" among them.
	Errors map[string]string `json:"errors,omitempty"`
}

// Idle is what idle associations cost an endpoint.
type Idle struct {
	// HalfRTTAlone is the half round trip in microseconds of an endpoint's only
	// association, HalfRTTWith that beside idle ones, and Ratio the latter by the
	// former.
	HalfRTTAlone float64 `json:"half_rtt_us_alone"`
	HalfRTTWith  float64 `json:"half_rtt_us_with_2000"`
	Ratio        float64 `json:"ratio"`
	// BytesPerAssociation is what one takes of the heap.
	BytesPerAssociation float64 `json:"bytes_per_association"`
}

// of returns where a contender's figures are.
func (r *Report) of(name string) *Figures {
	return map[string]*Figures{Engine: &r.Engine, RawUDP: &r.RawUDP, TCP: &r.TCP, Pion: &r.Pion}[name]
}

// samples are the values of each figure, one from each round.
type samples map[string][]float64

func (s samples) add(f Figures) {
	for name, value := range f {
		s[name] = append(s[name], value)
	}
}

// medians returns the median of each figure, nil if there is none.
func (s samples) medians() Figures {
	if len(s) == 0 {
		return nil
	}
	f := make(Figures, len(s))
	for name, values := range s {
		f[name] = stat.Median(values)
	}
	return f
}

// compare fills in the ratios.
func (r *Report) compare() {
	r.Ratio = make(map[string]Figures)
	for _, name := range Names {
		if other := *r.of(name); name != Engine && other != nil && r.Engine != nil {
			r.Ratio[name] = r.Engine.over(other)
		}
	}
}

// over divides figures by others of the same name.
func (f Figures) over(other Figures) Figures {
	ratio := maps.Clone(f)
	for name := range f {
		if value, both := other[name]; both && value != 0 {
			ratio[name] /= value
		} else {
			delete(ratio, name)
		}
	}
	return ratio
}
