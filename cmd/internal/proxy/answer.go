package proxy

import (
	"encoding/json"
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// errAnswered: there is one answer. Prepare reads what it has said.
var errAnswered = fmt.Errorf("%w: a second answer", frame.ErrGarbage)

// settle says what has come of the part. It is called once.
func (h *Host) settle(err error) {
	h.answered = true
	h.settled <- err
}

// refusalOf reads a refusal, whose status is that of a failure.
func refusalOf(f frame.Frame) (*Refusal, error) {
	why := new(Refusal)
	if err := json.Unmarshal(f.Payload, why); err != nil {
		return nil, err
	}
	if why.Status < 1 || why.Status > process.MaxStatus {
		return nil, fmt.Errorf("%w: %s is no failure", frame.ErrGarbage, f.Payload)
	}
	return why, nil
}
