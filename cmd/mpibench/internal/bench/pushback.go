package bench

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// maxUnread bounds the length of what is not read, in bytes.
const maxUnread = 1 << 30

// PushBack measures what messages that are not read cost: the rate of others, and memory.
type PushBack struct {
	names  []string
	unread []rank.Unread // as in names
	sizes  []int
	window int
}

func (b *PushBack) Flags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&b.names, "unread", []string{"1x1x1073741824", "1x10000x1024", "10000x1x1024"},
		"what is not read, as `TAGSxMESSAGESxBYTES`: messages with each tag, and their length")
	fs.IntSliceVar(&b.sizes, "size", []int{64, 64 << 10}, "lengths in `bytes` of the messages that are read")
	fs.IntVar(&b.window, "window", 64, "how many `messages` of those are in flight")
}

func (b *PushBack) Check() error {
	b.unread = nil
	for _, name := range b.names {
		var u rank.Unread
		if n, err := fmt.Sscanf(name+"\n", "%dx%dx%d\n", &u.Tags, &u.Messages, &u.Size); n != 3 || err != nil {
			return fmt.Errorf("--unread %q: it must be three numbers, as 10000x1x1024", name)
		}
		if u.Tags < 1 || u.Messages < 1 || u.Size < 1 || u.Tags > maxDepth || u.Messages > maxDepth/u.Tags || u.Size > maxUnread {
			return fmt.Errorf("--unread %s: it must be at least 1 of each, at most %d messages, of at most %d bytes", name, maxDepth, maxUnread)
		}
		b.unread = append(b.unread, u)
	}
	if err := within("window", 1, maxWindow, b.window); err != nil {
		return err
	}
	return within("size", 0, maxWindowBytes/b.window, b.sizes...)
}

func (b *PushBack) Plan(o Options) *suite.Plan {
	t := newTable("pushback", "transport", "unread", "bytes")
	t.Columns = []report.Column{
		{Figure: "kept", Title: "rate beside unread messages by that alone", Format: "%.2f"},
		{Figure: "alone_msgs_s", Title: "messages/s alone", Format: "%.0f"},
		{Figure: "msgs_s", Title: "messages/s beside unread messages", Format: "%.0f"},
		{Figure: "sent", Title: "share of the unread messages whose sends have completed", Format: "%.4f"},
		{Figure: "held_mib", Title: "receiver holds of them, MiB", Format: "%.2f"},
		{Figure: "memory_mib", Title: "receiver's memory for them, MiB", Format: "%.1f"},
		{Figure: "garbage_mib", Title: "... with garbage that has not been collected, MiB", Format: "%.1f"},
		{Figure: "kernel_mib", Title: "kernel's memory for them, at both ends, MiB", Format: "%.1f"},
	}
	t.Plot = &report.Plot{
		Title: fmt.Sprintf("Rate of messages of %d bytes beside unread ones", b.sizes[0]), By: []string{"transport"}, Dim: "unread",
		Figure: "kept", YLabel: "share of the rate alone", Bars: true,
		Only: func(at []any) bool { return at[2] == b.sizes[0] },
	}
	p := &suite.Plan{Tables: []*report.Table{t.Table}, Missing: make(map[string]string)}
	for _, transport := range o.Transports {
		for i, name := range b.names {
			mode := "beside " + name
			if beyond(p, transport, mode, b.unread[i].Tags) {
				continue
			}
			for _, size := range b.sizes { // a job for each: memory that was used once is there for the next
				w := rank.Work{Program: "pushback", Size: size, Window: b.window, Unread: b.unread[i]}
				p.Jobs = append(p.Jobs, o.job(setup{transport: transport, ranks: 2, mode: mode}.with(w, t.slot(transport, name, size))))
			}
		}
	}
	return p
}
