package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// taskLimit bounds how long a task may take. It is well within what the other side waits.
const taskLimit = 5 * time.Second

// runInit is PID 1: it serves, has a detached child, and answers what is asked over the
// channel until that ends. Its first message says that all of this is there, or why not:
// the other side has to wait for nothing else.
func runInit(s spec, control *channel) error {
	server, err := net.Listen("tcp4", s.address())
	if err != nil {
		return control.send(response{Failure: failed("serve on "+s.address(), err)})
	}
	go func() { _ = http.Serve(server, http.HandlerFunc(s.identify)) }() // as long as this process
	if err := detach(s); err != nil {
		return control.send(response{Failure: failed("start a detached child", err)})
	}
	if err := control.send(response{Answer: &s.Answer}); err != nil {
		return err
	}
	for asked := range requests(control) {
		if err := control.send(delegate(s, asked.Role)); err != nil {
			return err
		}
	}
	return nil
}

// identify answers every HTTP request.
func (s spec) identify(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s.Answer) // the client sees it
}

// requests returns what is asked. The channel is read all the time, also during a task:
// with its end this process has to end at once.
func requests(control *channel) <-chan request {
	asked := make(chan request)
	go func() {
		for {
			r, err := receive[request](control)
			if err != nil {
				exit(0)
			}
			asked <- r
		}
	}()
	return asked
}

// detach starts the child that sleeps, in an OS session of its own. It is waited for, like
// every child: nothing else here would.
func detach(s spec) error {
	ours, cmd, err := prepare(context.Background(), s, roleSleep)
	if err != nil {
		return err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := launch(cmd); err != nil {
		ours.close()
		return err
	}
	go func() {
		_ = cmd.Wait()
		ours.close()
	}()
	return nil
}

// delegate has a task done by a fresh process, and returns what it answers. This one could
// do it itself, but would then only show that it can talk to itself. A process that does not
// answer in time is killed, and every one is waited for.
func delegate(s spec, role string) response {
	if _, known := tasks[role]; !known {
		return response{Failure: failed(role, errors.New("there is no such task"))}
	}
	ctx, cancel := context.WithTimeout(context.Background(), taskLimit)
	defer cancel()
	ours, cmd, err := prepare(ctx, s, role)
	if err != nil {
		return response{Failure: failed(role, err)}
	}
	defer ours.close()
	if err := launch(cmd); err != nil {
		return response{Failure: failed(role, err)}
	}
	r, err := ours.exchange(ctx, taskLimit, func() error { return nil })
	cancel() // it has answered, or will not
	_ = cmd.Wait()
	if err != nil {
		return response{Failure: failed(role, err)}
	}
	return r
}

// prepare returns a command that runs this program in a role, and the channel to it. It goes
// by /proc, since the file may have been renamed or removed meanwhile, or be out of reach.
func prepare(ctx context.Context, s spec, role string) (*channel, *exec.Cmd, error) {
	ours, theirs, err := pair()
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args = []string{marker, role}
	cmd.Env = s.environment()
	cmd.Dir = "/"                       // so as to keep no file system busy
	cmd.ExtraFiles = []*os.File{theirs} // the first of them is controlFD
	return ours, cmd, nil
}

// launch starts a command, and closes what only the new process has to hold.
func launch(cmd *exec.Cmd) error {
	err := cmd.Start()
	for _, f := range cmd.ExtraFiles {
		_ = f.Close()
	}
	return err
}

// tasks are what a fresh process inside can be asked. No other role can be: one that starts
// something lasting, or sets something up, is not for everybody on the channel.
var tasks = map[string]func(spec) response{
	"query":     query,
	"bind":      bind,
	"processes": processes,
}

// runTask does a task, and says what came of it.
func runTask(role string, s spec, control *channel) error {
	do, known := tasks[role]
	if !known {
		return fmt.Errorf("there is no role %q", role)
	}
	return control.send(do(s))
}

// query asks the service.
func query(s spec) response {
	client := http.Client{Transport: &http.Transport{}, Timeout: taskLimit} // no proxy
	reply, err := client.Get("http://" + s.address() + "/")
	if err != nil {
		return response{Failure: failed("query", err)}
	}
	defer reply.Body.Close()
	var a Answer
	if err := json.NewDecoder(io.LimitReader(reply.Body, maxLine)).Decode(&a); err != nil {
		return response{Failure: failed("query", err)}
	}
	return response{Answer: &a}
}

// bind tries to bind the port of the service, by the system call itself: package net would
// set options on the socket.
func bind(s spec) response {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return response{Failure: failed("socket", err)}
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Port: s.Port, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return response{Failure: failed("bind", err)}
	}
	return response{}
}

// processes lists what the /proc inside has.
func processes(spec) response {
	list, err := machine().list()
	if err != nil {
		return response{Failure: failed("list the processes", err)}
	}
	return response{Processes: list}
}
