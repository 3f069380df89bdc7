package measure

import "slices"

// Ratio tells by how much the measurements of one thing are those of another: the median of the quotients of each with each (Hodges and
// Lehmann's estimate, of logarithms), and a confidence interval whose ends are two of these quotients, by the distribution of Mann and
// Whitney's U. It assumes that both scatter alike, but for the ratio, and nothing of how. N is that of the fewer measurements.
// Its confidence is 0.95 or more where there are four of each. Measurements are not negative. Zero by zero is a tie, and counts as 1; where
// too many divisors are 0 the median or an end is infinite.
func Ratio(over, under []float64) Figure {
	if len(over) == 0 || len(under) == 0 {
		return Range()
	}
	quotients := make([]float64, 0, len(over)*len(under))
	for _, x := range over {
		for _, y := range under {
			q := x / y
			if x == 0 && y == 0 {
				q = 1
			}
			quotients = append(quotients, q)
		}
	}
	slices.Sort(quotients)
	chance := chances(len(over), len(under))
	k, outside := 0, chance[0] // the chance that the ratio is below the interval without k quotients at each end
	for 2*(k+1) < len(quotients) && 1-2*(outside+chance[k+1]) >= Enough {
		k++
		outside += chance[k]
	}
	f := within(quotients, k)
	f.N, f.Confidence = min(len(over), len(under)), max(0, 1-2*outside)
	return f
}

// Percent is by how many percent a ratio is more than 1.
func (f Figure) Percent() Figure {
	f.Median, f.Low, f.High = 100*(f.Median-1), 100*(f.Low-1), 100*(f.High-1)
	return f
}

// chances are the chances of each value of U, the number of pairs whose first is the greater, where n and m values are alike:
// the coefficients of the Gaussian binomial of n+m over n.
func chances(n, m int) []float64 {
	p := make([]float64, n*m+1)
	p[0] = 1
	all := 1.0 // n+m over n
	for i := 1; i <= n; i++ {
		for u := n * m; u >= m+i; u-- {
			p[u] -= p[u-m-i]
		}
		for u := i; u <= n*m; u++ {
			p[u] += p[u-i]
		}
		all = all * float64(m+i) / float64(i)
	}
	for u := range p {
		p[u] /= all
	}
	return p
}
