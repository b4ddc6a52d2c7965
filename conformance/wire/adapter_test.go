package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"example.com/commitpoint/conformance"
)

// The test binary is its own adapter: with behaviorEnv in its environment it behaves as
// that says and runs no test.
const (
	behaviorEnv = "COMMITPOINT_WIRE_BEHAVIOR"
	detailEnv   = "COMMITPOINT_WIRE_DETAIL" // what a behavior needs beside its name
)

func TestMain(m *testing.M) {
	if name := os.Getenv(behaviorEnv); name != "" {
		behaviors[name](peer{bufio.NewReader(os.Stdin), os.Getenv(detailEnv)})
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A peer is the adapter's side of an exchange, by hand.
type peer struct {
	in     *bufio.Reader
	detail string
}

// next waits for a request and returns it, and exits as an adapter does when there is none.
func (p peer) next() string {
	line, err := p.in.ReadString('\n')
	if err != nil {
		os.Exit(0)
	}
	return strings.TrimSuffix(line, "\n")
}

const helloAnswer = `{"id":1,"protocol":"commitpoint/conformance/v1","name":"peer","events":["read","commit"]}` + "\n"

// hello answers the first request and waits for the second.
func (p peer) hello() {
	p.next()
	fmt.Print(helloAnswer)
	p.next()
}

// sleep outlasts every time limit here, and does not stay for ever if a test goes wrong.
func sleep() { time.Sleep(2 * time.Minute) }

var behaviors = map[string]func(peer){
	"right": func(p peer) {
		if err := Serve(context.Background(), p.in, os.Stdout, &ledger{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	},
	"script": func(p peer) { followScript(p) },
	"says": func(p peer) { // the detail, and then it waits for the end
		p.hello()
		fmt.Print(p.detail)
		p.next()
	},
	"says at once": func(p peer) {
		p.next()
		fmt.Print(p.detail)
		p.next()
	},
	"says and exits":       func(p peer) { p.hello(); fmt.Print(p.detail) },
	"too long":             func(p peer) { p.hello(); fmt.Print(strings.Repeat("x", 2*maxLine)); sleep() },
	"exits with 3":         func(p peer) { p.hello(); os.Exit(3) },
	"exits before hello":   func(peer) { fmt.Fprintln(os.Stderr, "no configuration"); os.Exit(3) },
	"panics":               func(p peer) { p.hello(); panic("out of order") },
	"closes its output":    func(p peer) { p.hello(); os.Stdout.Close(); sleep() },
	"closes its input":     func(p peer) { p.next(); os.Stdin.Close(); fmt.Print(helloAnswer); sleep() },
	"silent":               func(peer) { sleep() },
	"silent after hello":   func(p peer) { p.hello(); sleep() },
	"ignores the end":      func(p peer) { p.next(); fmt.Print(helloAnswer); _, _ = io.Copy(io.Discard, p.in); sleep() },
	"exits with 3 at last": func(p peer) { p.next(); fmt.Print(helloAnswer); _, _ = io.Copy(io.Discard, p.in); os.Exit(3) },
	"has last words":       func(p peer) { p.next(); fmt.Print(helloAnswer); _, _ = io.Copy(io.Discard, p.in); fmt.Println("bye") },
	"answers early": func(p peer) { // when the connection ends
		p.next()
		fmt.Print(helloAnswer)
		linger(p.detail)
		fmt.Print(`{"id":2}` + "\n")
		p.next()
		sleep()
	},
	"complains":                     func(p peer) { p.hello(); complain(); fmt.Println(`{"id":2}`); p.next() },
	"complains and exits":           func(p peer) { p.hello(); complain(); os.Exit(3) },
	"has a child":                   func(p peer) { p.next(); spawn(p.detail, os.Stdout); fmt.Print(helloAnswer); p.next(); p.next() },
	"reads nothing and has a child": func(p peer) { p.next(); spawn(p.detail, os.Stdout); fmt.Print(helloAnswer); sleep() },
	"dies with a child":             func(p peer) { p.next(); spawn(p.detail, os.Stdout); fmt.Print(helloAnswer); p.next(); os.Exit(3) },
	"dies with a child that logs":   func(p peer) { p.next(); spawn(p.detail, nil); fmt.Print(helloAnswer); p.next(); os.Exit(3) },
	"lingers":                       func(p peer) { linger(p.detail) },
}

// complain writes a lot to standard error, about nothing.
func complain() {
	w := bufio.NewWriterSize(os.Stderr, 1<<16)
	for i := range 100_000 {
		fmt.Fprintf(w, "complaint %d\n", i)
	}
	w.Flush()
}

// linger waits until whoever listens there ends the connection.
func linger(address string) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		os.Exit(1)
	}
	_, _ = io.Copy(io.Discard, c)
}

// lingerers returns an address for linger, and a function that accepts the connection.
func lingerers(t testing.TB) (address string, accept func() net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String(), func() net.Conn {
		_ = l.(*net.TCPListener).SetDeadline(time.Now().Add(time.Minute))
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return conn
	}
}

// spawn starts a process that lives on and holds what it inherits. What it connects to
// sees its end.
func spawn(address string, stdout *os.File) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), behaviorEnv+"=lingers", detailEnv+"="+strings.TrimPrefix(address, "away "))
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	if stdout != nil {
		cmd.Stdout = stdout
	}
	if strings.HasPrefix(address, "away ") {
		leaveGroup(cmd)
	}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

// command returns the adapter that behaves like that.
func command(t testing.TB, behavior, detail string) Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{Path: self, Env: append(os.Environ(), behaviorEnv+"="+behavior, detailEnv+"="+detail), Timeout: time.Minute}
}

// start starts it, to be closed when the test ends.
func start(t testing.TB, behavior, detail string) *Process {
	t.Helper()
	p, err := command(t, behavior, detail).Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// A ledger is a small system: it accepts what is submitted, once.
type ledger struct {
	receipts []string
	calls    []string
}

func (l *ledger) About() conformance.About {
	return conformance.About{Name: "ledger", Events: []string{"read", "commit"}, Parallel: true}
}

func (l *ledger) Reset(context.Context) error {
	*l = ledger{}
	return nil
}

func (l *ledger) Apply(_ context.Context, event string) error {
	l.calls = append(l.calls, event)
	switch event {
	case "fail":
		return errors.New("no connection to the database")
	case "fail without a word":
		return errors.New("")
	}
	return nil
}

func (l *ledger) Submit(_ context.Context, event string) (conformance.Decision, error) {
	l.calls = append(l.calls, event)
	if len(l.receipts) > 0 {
		return conformance.Decision{Refusal: "completed"}, nil
	}
	l.receipts = append(l.receipts, "completion <1>")
	return conformance.Decision{Accepted: true, Receipt: l.receipts[0]}, nil
}

func (l *ledger) Recorded(context.Context) (conformance.Record, error) {
	status := "running"
	if len(l.receipts) > 0 {
		status = "completed"
	}
	return conformance.Record{Receipts: l.receipts, Status: status, Published: map[string]int{"out": len(l.receipts)},
		State: strings.Join(l.calls, " ")}, nil
}
