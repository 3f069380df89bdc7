package farm

import (
	"fmt"
	"time"
)

// ledger is the manager's account of what is done.
type ledger[R any] struct {
	total      int
	done       set
	deliver    func(i int, result []R) error
	progress   func(Progress)
	begun      time.Time
	report     Report
	checkpoint *keeper // nil if none is wanted
}

// newLedger begins with what the checkpoint has.
func newLedger[R any](total int, deliver func(i int, result []R) error, o Options) (*ledger[R], error) {
	l := &ledger[R]{total: total, deliver: deliver, progress: o.Progress, begun: time.Now()}
	if o.Checkpoint == nil {
		return l, nil
	}
	k, err := openCheckpoint(*o.Checkpoint, total, &l.done)
	if err != nil {
		return nil, fmt.Errorf("farm: checkpoint %s: %w", o.Checkpoint.File, err)
	}
	l.checkpoint, l.report.Restored = k, l.done.size
	return l, nil
}

// collect takes a result.
func (l *ledger[R]) collect(i int, result []R, workers int) error {
	if err := l.deliver(i, result); err != nil {
		return err
	}
	l.done.add(i)
	l.show(workers)
	if l.checkpoint == nil {
		return nil
	}
	return l.checkpoint.collected(&l.done)
}

// close writes the last checkpoint, whatever the farm has ended with.
func (l *ledger[R]) close(err error) error {
	if l.checkpoint == nil {
		return err
	}
	if failed := l.checkpoint.close(&l.done); err == nil && failed != nil {
		err = fmt.Errorf("farm: checkpoint %s: %w", l.checkpoint.File, failed)
	}
	return err
}

// Progress is how far a farm has come.
type Progress struct {
	// Done is how many of the Tasks have a result, Restored how many of those were in the checkpoint.
	Done, Tasks, Restored int
	// Again is how many tasks were dealt again because a worker died; Workers is how many live.
	Again, Workers int
	// Elapsed is the time since the farm began.
	Elapsed time.Duration
}

// Rate is the tasks per second since the farm began, 0 if none is done.
func (p Progress) Rate() float64 {
	if p.Elapsed <= 0 {
		return 0
	}
	return float64(p.Done-p.Restored) / p.Elapsed.Seconds()
}

// Remaining is the time for the tasks that are left at that rate, 0 if that is not known.
func (p Progress) Remaining() time.Duration {
	n := p.Done - p.Restored
	if n <= 0 {
		return 0
	}
	return time.Duration(float64(p.Elapsed) / float64(n) * float64(p.Tasks-p.Done))
}

// String is a line without its end, such as "120 of 1000 tasks, 3 of them dealt again, 4 workers, 12.5 tasks per second, 1m10s left".
func (p Progress) String() string {
	s := fmt.Sprintf("%d of %d tasks", p.Done, p.Tasks)
	if p.Again > 0 {
		s += fmt.Sprintf(", %d dealt again", p.Again)
	}
	s += fmt.Sprintf(", %d workers", p.Workers)
	if p.Done > p.Restored {
		s += fmt.Sprintf(", %.3g tasks per second, %v left", p.Rate(), p.Remaining().Round(time.Second))
	}
	return s
}

// show tells the program.
func (l *ledger[R]) show(workers int) {
	if l.progress != nil {
		l.progress(Progress{
			Done: l.done.size, Tasks: l.total, Restored: l.report.Restored,
			Again: l.report.Again, Workers: workers, Elapsed: time.Since(l.begun),
		})
	}
}
