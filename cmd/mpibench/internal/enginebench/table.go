package enginebench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// rows are the figures in the order in which they are shown, with what people call
// them.
var rows = []struct{ figure, name, format string }{
	{halfRTT, "half round trip of 64 B, µs", "%.2f"},
	{halfRTTP50, "  median", "%.2f"},
	{halfRTTP99, "  99th percentile", "%.2f"},
	{"msgs_per_s_64b", "64 B messages per second", "%.3g"},
	{"gbit_1k", "1 KiB messages, Gbit/s", "%.2f"},
	{"gbit_64k", "64 KiB messages, Gbit/s", "%.2f"},
	{"gbit_4m", "4 MiB messages, Gbit/s", "%.2f"},
	{"gbit_1k_nocrc", "1 KiB without CRC32c, Gbit/s", "%.2f"},
	{"gbit_64k_nocrc", "64 KiB without CRC32c, Gbit/s", "%.2f"},
	{"gbit_4m_nocrc", "4 MiB without CRC32c, Gbit/s", "%.2f"},
}

// WriteTable writes a report for people.
func (r *Report) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "\t%s\tengine/rawudp\tengine/pion\t\n", strings.Join(Names, "\t"))
	for _, row := range rows {
		cells := []string{row.name}
		for _, name := range Names {
			cells = append(cells, cell(*r.of(name), row.figure, row.format))
		}
		cells = append(cells, cell(r.Ratio[RawUDP], row.figure, "%.2f"), cell(r.Ratio[Pion], row.figure, "%.2f"))
		fmt.Fprintf(t, "%s\t\n", strings.Join(cells, "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	if i := r.Idle; i != nil {
		fmt.Fprintf(&b, "\nengine beside %d idle associations: half round trip %.2f µs, alone %.2f µs, ratio %.3f; %.0f bytes each\n",
			idleAssociations, i.HalfRTTWith, i.HalfRTTAlone, i.Ratio, i.BytesPerAssociation)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Errors)) {
		fmt.Fprintf(&b, "\n%s failed: %s\n", name, r.Errors[name])
	}
	fmt.Fprintf(&b, "\nmedians of %d rounds, %v each; %s, kernel %s, %d CPUs, %s\n", r.Options.Rounds, r.Options.Duration,
		r.Machine.System, r.Machine.Kernel, r.Machine.CPUs, r.Machine.Go)
	_, err := io.WriteString(w, b.String())
	return err
}

func cell(f Figures, name, format string) string {
	value, ok := f[name]
	if !ok {
		return "-"
	}
	return fmt.Sprintf(format, value)
}
