package assoc

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/cookie"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// terms are what both ends have agreed on in the set-up.
type terms struct {
	outbound, inbound int // streams
	features          cookie.Features
	peerLimit         wire.StreamLimit
}

func termsOf(st *cookie.State) terms {
	return terms{int(st.Outbound), int(st.Inbound), st.Features, st.StreamLimit}
}
