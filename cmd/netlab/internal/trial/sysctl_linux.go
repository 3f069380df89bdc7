package trial

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sctpmpi/sctpmpi/internal/netem"
)

// set gives all hosts of a network the settings, and back those that jobs before have changed.
func (s *Site) set(n *netem.Topology, settings map[string]string) error {
	for i := range n.Hosts() {
		err := n.Host(i).Do(func() error {
			for name := range settings {
				if _, known := s.usual[name]; known {
					continue
				}
				value, err := os.ReadFile(filepath.Join(sysctls, name))
				if err != nil {
					return fmt.Errorf("a setting of a host of the network: %w", err)
				}
				s.usual[name] = strings.TrimSpace(string(value))
			}
			if err := write(s.usual); err != nil {
				return err
			}
			return write(settings)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

const sysctls = "/proc/sys"

// write sets up the calling thread's host.
func write(settings map[string]string) error {
	for name, value := range settings {
		if err := os.WriteFile(filepath.Join(sysctls, name), []byte(value), 0); err != nil {
			return fmt.Errorf("setting %s of a host of the network: %w", name, err)
		}
	}
	return nil
}
