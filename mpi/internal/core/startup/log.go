package startup

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// SetLogger sets where the library says what it otherwise says on standard error.
func (s *Settings) SetLogger(l *slog.Logger) error {
	if l == nil {
		return fmt.Errorf("the logger is nil")
	}
	s.Logger = l
	return nil
}

// Notice returns rpi.Config.Notice of a rank.
func (s *Settings) Notice(rank int) func(format string, args ...any) {
	if s.Logger == nil {
		return lineTo(os.Stderr, rank)
	}
	return s.logTo(slog.LevelWarn, rank)
}

// Explain returns rpi.Config.Debug of a rank.
func (s *Settings) Explain(rank int) func(format string, args ...any) {
	switch {
	case s.Logger != nil:
		return s.logTo(slog.LevelDebug, rank) // the handler knows whether it is wanted
	case s.Debug:
		return lineTo(os.Stderr, rank)
	}
	return nil
}

func (s *Settings) logTo(level slog.Level, rank int) func(format string, args ...any) {
	return func(format string, args ...any) {
		if ctx := context.Background(); s.Logger.Enabled(ctx, level) {
			s.Logger.Log(ctx, level, fmt.Sprintf(format, args...), "rank", rank)
		}
	}
}

// lineTo returns what writes a line of a rank at a time.
func lineTo(w io.Writer, rank int) func(format string, args ...any) {
	return func(format string, args ...any) {
		fmt.Fprintf(w, "mpi: rank %d: %s\n", rank, fmt.Sprintf(format, args...))
	}
}

var warn sync.Once

// WarnOnce says which variables of the environment have no meaning, the first time that it is called.
func (s *Settings) WarnOnce() {
	warn.Do(func() { s.warnMistaken(os.Stderr, os.Environ()) })
}

// warnMistaken says which variables of the environment have no meaning, unless mpirun has said it.
func (s *Settings) warnMistaken(w io.Writer, environment []string) {
	for _, text := range rpi.MistakenVariables(environment) {
		if s.Logger != nil {
			s.Logger.Warn(text)
		} else {
			fmt.Fprintln(w, "mpi: "+text)
		}
	}
}
