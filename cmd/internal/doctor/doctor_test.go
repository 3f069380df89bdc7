package doctor_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/internal/doctor"
)

func TestReportSaysWhatMendsIt(t *testing.T) {
	findings := []doctor.Finding{
		{Subject: "clock", Text: "a look takes 40ns (tsc)"},
		{
			Subject: "UDP buffers", State: doctor.Slow, Text: "a socket gets 208 KiB to receive of the 4096 KiB that it asks for",
			Remedy: "sysctl -w net.core.rmem_max=4194304",
		},
	}
	var b strings.Builder
	doctor.Report(&b, findings)
	assert.Equal(t, `good   clock          a look takes 40ns (tsc)
SLOW   UDP buffers    a socket gets 208 KiB to receive of the 4096 KiB that it asks for
                      mend it: sysctl -w net.core.rmem_max=4194304
Jobs run here, some of them more slowly than they could.
`, b.String())
}

func TestTheWorstFindingDecides(t *testing.T) {
	assert.Equal(t, doctor.Good, doctor.Worst(nil))
	assert.Equal(t, doctor.Broken, doctor.Worst([]doctor.Finding{{State: doctor.Slow}, {State: doctor.Broken}, {State: doctor.Differ}}))
}

// Tests run here, and so do jobs. All that is not as it should be has a remedy.
func TestThisHostRunsJobs(t *testing.T) {
	findings := doctor.Examine()
	for _, f := range findings {
		assert.NotEqual(t, doctor.Broken, f.State, "%s: %s", f.Subject, f.Text)
		assert.NotEmpty(t, f.Text, f.Subject)
		assert.Equal(t, f.State == doctor.Good, f.Remedy == "", f.Subject)
		assert.NotContains(t, f.Text+f.Remedy, "\n", f.Subject)
	}
	assert.NotEmpty(t, findings)
}
