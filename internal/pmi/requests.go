package pmi

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/sctpmpi/sctpmpi/internal/terminal"
)

// handler is what the server does for a command, nil if there is no such one. An error ends the connection. It is no map: that would be
// made in each client too, with the code of the server.
func handler(command string) func(*session, message) error {
	switch command {
	case "init":
		return (*session).init
	case "get_maxes":
		return (*session).maxes
	case "get_my_kvsname":
		return (*session).kvsName
	case "get_universe_size":
		return (*session).universeSize
	case "get_appnum":
		return (*session).appNum
	case "put":
		return (*session).put
	case "get":
		return (*session).get
	case "barrier_in":
		return (*session).barrierIn
	case "finalize":
		return (*session).finalize
	case "abort":
		return (*session).abort
	case "watch":
		return (*session).watch
	case "peer_failed":
		return (*session).peerFailed
	case "answer":
		return (*session).answerNotice
	case "publish_name", "unpublish_name", "lookup_name":
		return (*session).refuseNaming
	}
	return nil
}

// unanswered are the requests that have no reply. They may come at any time, also while the client waits at a fence.
var unanswered = map[string]bool{"abort": true, "watch": true, "peer_failed": true, "answer": true}

func (c *session) setPhase(p Phase) {
	c.server.update(c.rank, func(of *client) { of.phase = p })
}

func (c *session) init(m message) error {
	version, err := m.integer("pmi_version")
	if err != nil {
		return err
	}
	if _, err := m.integer("pmi_subversion"); err != nil {
		return err
	}
	if version != 1 {
		return c.answer("response_to_init", fmt.Errorf("PMI version %d is not supported, only 1.1", version))
	}
	c.setPhase(Initialised)
	return c.answer("response_to_init", nil, "pmi_version", "1", "pmi_subversion", "1", oursKey, "1")
}

func (c *session) maxes(message) error {
	return c.answer("maxes", nil,
		"kvsname_max", strconv.Itoa(maxNameLength),
		"keylen_max", strconv.Itoa(maxKeyLength),
		"vallen_max", strconv.Itoa(maxValueLength))
}

func (c *session) kvsName(message) error {
	return c.answer("my_kvsname", nil, "kvsname", c.server.config.KVSName)
}

func (c *session) universeSize(message) error {
	return c.answer("universe_size", nil, "size", strconv.Itoa(c.server.config.Size))
}

func (c *session) appNum(message) error {
	number := 0
	if all := c.server.config.AppNum; all != nil {
		number = all[c.rank]
	}
	return c.answer("appnum", nil, "appnum", strconv.Itoa(number))
}

func (c *session) put(m message) error {
	key, hasKey := m.get("key")
	value, hasValue := m.get("value")
	if !hasKey || !hasValue {
		return errors.New("put lacks key or value")
	}
	return c.answer("put_result", c.inStore(m, func(s *store) error { return s.put(c.rank, key, value) }))
}

func (c *session) get(m message) error {
	key, ok := m.get("key")
	if !ok {
		return errors.New("get lacks key")
	}
	var value string
	err := c.inStore(m, func(s *store) error {
		var found bool
		if value, found = s.values[key]; !found {
			return errors.New("key_not_found")
		}
		return nil
	})
	return c.answer("get_result", err, "value", value)
}

// inStore runs an operation on the key-value space that a request names. A request without a name means the only one of
// the job.
func (c *session) inStore(m message, operation func(*store) error) error {
	if name, ok := m.get("kvsname"); ok && name != c.server.config.KVSName {
		return fmt.Errorf("there is no key-value space %s", excerpt(name))
	}
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	return operation(&c.server.kvs)
}

func (c *session) barrierIn(message) error {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.fence = c.server.barrier.enter(c.rank)
	return nil
}

func (c *session) finalize(message) error {
	c.setPhase(Finalised)
	return c.answer("finalize_ack", nil)
}

func (c *session) abort(m message) error {
	code, err := m.integer("exitcode")
	if err != nil {
		return err
	}
	text, _ := m.get("message")
	c.setPhase(Aborted)
	if c.server.config.OnAbort != nil {
		c.server.config.OnAbort(c.rank, code, terminal.Line(text))
	}
	return nil
}

func (c *session) watch(message) error {
	c.server.update(c.rank, func(of *client) {
		of.watches = true
		of.wake()
	})
	return nil
}

func (c *session) answerNotice(m message) error {
	if text, _ := m.get("text"); c.server.config.OnAnswer != nil {
		c.server.config.OnAnswer(c.rank, text)
	}
	return nil
}

func (c *session) peerFailed(m message) error {
	peer, err := m.integer("rank")
	if err != nil {
		return err
	}
	if peer < AnyPeer || peer >= c.server.config.Size {
		return fmt.Errorf("there is no rank %d", peer)
	}
	c.server.sawFailure(c.rank, peer)
	return nil
}

// refuseNaming answers the requests of MPI_Publish_name and its kin.
func (c *session) refuseNaming(m message) error {
	reply := map[string]string{
		"publish_name": "publish_result", "unpublish_name": "unpublish_result", "lookup_name": "lookup_result",
	}[m.cmd]
	return c.answer(reply, errors.New("this launcher has no name service"))
}
