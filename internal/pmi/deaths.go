package pmi

import (
	"strconv"
	"strings"
)

// Died has all ranks that watch told that a rank has died, by a notice that [Death] reads. It does not wait. A rank that begins to watch
// later is told too. Call it once for a rank, if the job goes on (Config.KeepGoing).
func (s *Server) Died(rank int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if of := &s.clients[rank]; !of.attached { // it will never come
		of.attached = true
		s.ended(rank)
	}
	s.dead = append(s.dead, rank)
	for i := range s.clients {
		s.clients[i].wake()
	}
}

// wake has the session of a rank look whether there are deaths that the rank has not been told of.
func (c *client) wake() {
	select {
	case c.deaths <- struct{}{}:
	default:
	}
}

// tellDeaths tells the client of deaths that it does not know of, if it watches.
func (c *session) tellDeaths() error {
	for _, rank := range c.server.deathsFor(c.rank, c.told) {
		if err := c.send(format("notice", "what", escapeText(deathNotice+strconv.Itoa(rank)))); err != nil {
			return err
		}
		c.told++
	}
	return nil
}

// deathsFor returns the ranks that have died, after the first few, or none if a rank does not watch.
func (s *Server) deathsFor(rank, after int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.clients[rank].watches {
		return nil
	}
	return s.dead[after:len(s.dead):len(s.dead)]
}

// deathNotice begins the notices of deaths; the rank follows.
const deathNotice = "died "

// Death returns the rank of which a notice says that it has died: see [Server.Died]. Found is false for all other notices.
func Death(notice string) (rank int, found bool) {
	number, found := strings.CutPrefix(notice, deathNotice)
	rank, err := strconv.Atoi(number)
	return rank, found && err == nil && rank >= 0
}
