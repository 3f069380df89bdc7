package correlate

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/fasta"
)

// Table is variables, each with a value for each sample.
type Table struct {
	Names   []string
	Samples int
	Values  []float64 // variable by variable
}

// Column is the values of a variable.
func (t *Table) Column(i int) []float64 { return t.Values[i*t.Samples : (i+1)*t.Samples] }

const aminoAcids = "ACDEFGHIKLMNPQRSTVWY"

// scales are properties of the amino acids, in the order of aminoAcids.
var scales = []struct {
	name   string
	values [20]float64
}{
	// Kyte and Doolittle, 1982.
	{"hydropathy", [20]float64{1.8, 2.5, -3.5, -3.5, 2.8, -0.4, -3.2, 4.5, -3.9, 3.8, 1.9, -3.5, -1.6, -3.5, -4.5, -0.8, -0.7, 4.2, -0.9, -1.3}},
	// Mean mass of the residue in dalton.
	{"mass", [20]float64{71.08, 103.14, 115.09, 129.12, 147.18, 57.05, 137.14, 113.16, 128.17, 113.16, 131.19, 114.10, 97.12, 128.13, 156.19, 87.08, 101.10, 99.13, 186.21, 163.18}},
	// Chou and Fasman, 1978: propensity for the α-helix.
	{"helix", [20]float64{1.42, 0.70, 1.01, 1.51, 1.13, 0.57, 1.00, 1.08, 1.16, 1.21, 1.45, 0.67, 0.57, 1.11, 0.98, 0.77, 0.83, 1.06, 1.08, 0.69}},
}

// lags are how far apart residues are whose properties are compared, up to this distance.
const lags = 60

// Features are variables of proteins: the share of each amino acid, the logarithm of the length, and for each scale the mean and the
// autocorrelation at each lag.
func Features(records []fasta.Record) (*Table, error) {
	if len(records) < 2 {
		return nil, errors.New("a correlation needs two proteins at least")
	}
	t := &Table{Samples: len(records)}
	for _, letter := range aminoAcids {
		t.Names = append(t.Names, "share of "+string(letter))
	}
	t.Names = append(t.Names, "length")
	for _, scale := range scales {
		t.Names = append(t.Names, "mean "+scale.name)
		for lag := 1; lag <= lags; lag++ {
			t.Names = append(t.Names, fmt.Sprintf("%s at %d", scale.name, lag))
		}
	}
	t.Values = make([]float64, len(t.Names)*t.Samples)
	for sample, r := range records {
		for variable, value := range featuresOf(r.Sequence) {
			t.Column(variable)[sample] = value
		}
	}
	return t, nil
}

// featuresOf are those of one protein. Letters that stand for no single amino acid do not count.
func featuresOf(sequence []byte) (all []float64) {
	shares := make([]float64, len(aminoAcids))
	var residues []int
	for _, letter := range bytes.ToUpper(sequence) {
		if i := bytes.IndexByte([]byte(aminoAcids), letter); i >= 0 {
			residues = append(residues, i)
			shares[i]++
		}
	}
	length := float64(len(residues))
	for i := range shares {
		shares[i] /= max(1, length)
	}
	all = append(shares, math.Log(max(1, length)))
	property := make([]float64, len(residues))
	for _, scale := range scales {
		mean := 0.0
		for i, r := range residues {
			property[i] = scale.values[r]
			mean += property[i] / length
		}
		all = append(all, mean)
		variance := 0.0
		for i := range property {
			property[i] -= mean
			variance += float64(property[i]*property[i]) / length
		}
		for lag := 1; lag <= lags; lag++ {
			sum := 0.0
			if n := len(property) - lag; n > 0 && variance > 0 {
				sum = dot(property[lag:], property[:n]) / float64(n) / variance
			}
			all = append(all, sum)
		}
	}
	return all
}
