package live

import (
	"io"
	"net"
	"testing"
)

// Of every two commits one does not reach the server, and of every two that do, one is
// not answered. The connection ends with it.
func TestCutter(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	heard := make(chan bool, 1)
	go answer(server, heard)
	cutter, err := newCutter(server.Addr().String(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer cutter.Close()
	for i, want := range []struct{ heard, answered bool }{{true, true}, {false, false}, {true, false}, {false, false}, {true, true}} {
		client, err := net.Dial("tcp", cutter.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Write(commitCommand); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(commitAnswer))
		_, err = io.ReadFull(client, got)
		if (err == nil) != want.answered {
			t.Errorf("commit %d: answered %q and %v, want an answer: %v", i, got, err, want.answered)
		}
		client.Close()
		if got := <-heard; got != want.heard {
			t.Errorf("commit %d: the server has heard of it: %v, want %v", i, got, want.heard)
		}
	}
	if got := cutter.cuts(); got != 3 {
		t.Errorf("%d connections were cut, want 3", got)
	}
}

// answer answers every commit, and says of each connection whether there was one.
func answer(server net.Listener, heard chan<- bool) {
	for {
		conn, err := server.Accept()
		if err != nil {
			return // the test has ended
		}
		got := make([]byte, len(commitCommand))
		_, err = io.ReadFull(conn, got)
		if err == nil {
			conn.Write(commitAnswer)
		}
		heard <- err == nil
		conn.Close()
	}
}
