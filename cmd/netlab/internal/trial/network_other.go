//go:build !linux

package trial

import (
	"context"
	"errors"
	"syscall"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

var errLinux = errors.New("experiments need Linux")

// Site is where jobs run: nowhere but on Linux.
type Site struct{}

// NewSite returns a site.
func NewSite(Programs) *Site { return &Site{} }

// Capable says what this host lacks to run experiments.
func Capable() error { return errLinux }

// Run fails.
func (*Site) Run(context.Context, plan.Cell) (map[string]float64, error) { return nil, errLinux }

// Run fails.
func (Emulation) Run(context.Context) error { return errLinux }

// Close does nothing.
func (*Site) Close() error { return nil }

func dieWithParent() *syscall.SysProcAttr { return nil }
