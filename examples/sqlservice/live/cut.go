package live

import (
	"bytes"
	"net"
	"sync"
	"sync/atomic"
)

// A cutter forwards connections to a PostgreSQL server. Now and then it ends one when its
// client tells the server to commit, before the server hears of that; or when the server
// says that it has committed, before the client does.
type cutter struct {
	listener net.Listener
	server   string // its address
	every    int64  // how many messages there are of each kind to one that is lost
	commands atomic.Int64
	answers  atomic.Int64

	mu     sync.Mutex
	open   map[net.Conn]bool
	closed bool
	wait   sync.WaitGroup
}

// The two messages, as the driver and the server write them.
var (
	commitCommand = []byte("Q\x00\x00\x00\x0bcommit\x00")
	commitAnswer  = []byte("C\x00\x00\x00\x0bCOMMIT\x00")
)

// newCutter listens on a port of its own until Close.
func newCutter(server string, every int) (*cutter, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &cutter{listener: l, server: server, every: int64(every), open: map[net.Conn]bool{}}
	c.wait.Go(c.accept)
	return c, nil
}

// cuts returns how many connections were ended.
func (c *cutter) cuts() int {
	return int(c.commands.Load()/c.every + c.answers.Load()/c.every)
}

func (c *cutter) accept() {
	for {
		client, err := c.listener.Accept()
		if err != nil {
			return // it was closed
		}
		server, err := net.Dial("tcp", c.server)
		if err != nil {
			client.Close()
			continue
		}
		if c.keep(client, server) {
			c.wait.Go(func() { c.pass(client, server, commitCommand, &c.commands) })
			c.wait.Go(func() { c.pass(server, client, commitAnswer, &c.answers) })
		}
	}
}

// keep notes connections for Close. If that was called already, it ends them.
func (c *cutter) keep(pair ...net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range pair {
		if c.closed {
			conn.Close()
		} else {
			c.open[conn] = true
		}
	}
	return !c.closed
}

// pass forwards what one side says, until either ends or a message is lost. Messages of
// this size come whole.
func (c *cutter) pass(from, to net.Conn, message []byte, seen *atomic.Int64) {
	defer func() {
		from.Close()
		to.Close()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open, from)
	}()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if bytes.Contains(buffer[:n], message) && seen.Add(1)%c.every == 0 {
			return
		}
		if _, failed := to.Write(buffer[:n]); err != nil || failed != nil {
			return
		}
	}
}

// Close ends everything.
func (c *cutter) Close() error {
	err := c.listener.Close()
	c.mu.Lock()
	c.closed = true
	for conn := range c.open {
		conn.Close()
	}
	c.mu.Unlock()
	c.wait.Wait()
	return err
}
