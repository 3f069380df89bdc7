package core

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/sctpmpi/sctpmpi/internal/hang"
	"github.com/sctpmpi/sctpmpi/internal/pmi"
)

// asked answers a question of the launcher, or takes in which rank has died. A question is a number and what to tell
// (hang.AskPulse and its like). Questions that are not known get no answer.
func (p *process) asked(question string) {
	if rank, found := pmi.Death(question); found {
		p.failures.Ended(rank)
		return
	}
	number, what, _ := strings.Cut(question, " ")
	go func() { // the launcher may have more to say meanwhile
		p.asking.Lock()
		defer p.asking.Unlock()
		var answer string
		switch what {
		case hang.AskPulse:
			b, _ := json.Marshal(p.pulse()) // never fails
			answer = string(b)
		case hang.AskLast:
			p.told.Store(true)
			answer = p.report().Encode()
		case hang.AskState:
			answer = p.report().Encode()
		case hang.AskSample:
			answer = p.sample().Encode()
		default:
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), partingTime)
		defer cancel()
		_ = p.launcher.Answer(ctx, number+" "+answer) // a launcher that is gone needs none
	}()
}
