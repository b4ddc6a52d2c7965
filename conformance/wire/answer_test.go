package wire

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/commitpoint/conformance"
)

// asked are the requests that the tests have answered, by what is to be done.
var asked = map[string]request{
	"hello":    {ID: 1, Do: doHello, Protocol: protocol},
	"apply":    {ID: 2, Do: doApply, Event: "read"},
	"submit":   {ID: 3, Do: doSubmit, Event: "commit"},
	"recorded": {ID: 4, Do: doRecorded},
}

func TestDecodeAnswer(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, to, line string
		want           answer
	}{
		{"hello", "hello", `{"id":1,"protocol":"commitpoint/conformance/v1","name":"queue","events":["read"],"parallel":true}`,
			answer{ID: 1, Protocol: protocol, About: &conformance.About{Name: "queue", Events: []string{"read"}, Parallel: true}}},
		{"hello, parallel left out", "hello", `{"id":1,"protocol":"commitpoint/conformance/v1","name":"queue","events":[]}`,
			answer{ID: 1, Protocol: protocol, About: &conformance.About{Name: "queue", Events: []string{}}}},
		{"done", "apply", `{"id":2}`, answer{ID: 2}},
		{"spaces and a carriage return", "apply", " { \"id\" : 2 } \r", answer{ID: 2}},
		{"accepted", "submit", `{"receipt":"c1","accepted":true,"id":3}`, answer{ID: 3, Decision: &conformance.Decision{Accepted: true, Receipt: "c1"}}},
		{"refused", "submit", `{"id":3,"accepted":false,"refusal":"fence \ud83d\ude00"}`, answer{ID: 3, Decision: &conformance.Decision{Refusal: "fence 😀"}}},
		{"refused in 100 characters", "submit", `{"id":3,"accepted":false,"refusal":"` + strings.Repeat("é", 100) + `"}`,
			answer{ID: 3, Decision: &conformance.Decision{Refusal: strings.Repeat("é", 100)}}},
		{"refused without a reason", "submit", `{"id":3,"accepted":false}`, answer{ID: 3, Decision: &conformance.Decision{}}},
		{"recorded", "recorded", `{"id":4,"receipts":["c1"],"status":"completed","published":{"a":1,"b":0},"state":"\\ud800 { \n"}`,
			answer{ID: 4, Record: &conformance.Record{Receipts: []string{"c1"}, Status: "completed", Published: map[string]int{"a": 1, "b": 0}, State: "\\ud800 { \n"}}},
		{"nothing recorded", "recorded", `{"id":4,"receipts":[]}`, answer{ID: 4, Record: &conformance.Record{Receipts: []string{}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, err := decodeAnswer([]byte(tt.line), asked[tt.to]); err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

// Each of these is almost an answer. The wanted error is what is behind the line.
func TestDecodeAnswerRefuses(t *testing.T) {
	t.Parallel()
	const object = ", expected one JSON object on the line"
	tests := []struct{ to, line, want string }{
		{"apply", ``, "it is not JSON (unexpected end of JSON input)" + object},
		{"apply", `{"id":2`, "it is not JSON (unexpected end of JSON input)" + object},
		{"apply", `ok {"id":2}`, "it is not JSON (invalid character 'o' looking for beginning of value)" + object},
		{"apply", `{"id":2} {"id":3}`, "it is not JSON (invalid character '{' after top-level value)" + object},
		{"apply", `[{"id":2}]`, "it is no object" + object},
		{"apply", `null`, "it is no object" + object},
		{"apply", "{\"id\":2,\"\xff\":1}", "it is not UTF-8, expected one JSON object in UTF-8"},
		{"recorded", `{"id":4,"receipts":[],"state":"\ud800"}`, `it has half of a surrogate pair (\ud800 to \udfff), expected text that UTF-8 can express`},
		{"recorded", `{"id":4,"receipts":[],"state":"\\\uDE00"}`, `it has half of a surrogate pair (\ud800 to \udfff), expected text that UTF-8 can express`},
		{"apply", `{"id":2,"id":2}`, `"id" occurs twice, expected each name once`},
		{"apply", `{"id":2,"\u0069d":3}`, `"id" occurs twice, expected each name once`},
		{"apply", `{"id":2,"accepted":true}`, "`accepted` is not a field of it, expected id"},
		{"apply", `{"ID":2}`, "`ID` is not a field of it, expected id"},
		{"apply", `{"id":2,"b\u0007":1,"a":1}`, "`a` is not a field of it, expected id"},
		{"apply", `{"id":2,"b\u0007":1}`, `"b\a" is not a field of it, expected id`},
		{"apply", `{}`, "id is missing, expected a whole number"},
		{"apply", `{"id":"2"}`, "id is `\"2\"`, expected a whole number"},
		{"apply", `{"id":2.0}`, "id is `2.0`, expected a whole number"},
		{"apply", `{"id":-2}`, "id is `-2`, expected a whole number"},
		{"apply", `{"id":null}`, "id is `null`, expected a whole number"},
		{"apply", `{"id":1}`, "id is 1, expected 2, that of the request"},
		{"apply", `{"id":1,"error":"no"}`, "id is 1, expected 2, that of the request"},
		{"apply", `{"id":2,"error":""}`, "error is empty, expected what keeps the adapter from going on"},
		{"submit", `{"id":3,"error":"no","accepted":false}`, "`accepted` is not a field of it, expected id, error"},
		{"submit", `{"id":3,"error":true}`, "error is `true`, expected a text"},
		{"hello", `{"id":1,"name":"q","events":[]}`, "protocol is missing, expected a text"},
		{"hello", `{"id":1,"protocol":1,"name":"q","events":[]}`, "protocol is `1`, expected a text"},
		{"hello", `{"id":1,"protocol":"v2","events":1}`, "it speaks `v2`, expected \"commitpoint/conformance/v1\": use an adapter and a kit of the same version"},
		{"hello", `{"id":1,"protocol":"commitpoint/conformance/v1","events":[]}`, "name is missing, expected a text"},
		{"hello", `{"id":1,"protocol":"commitpoint/conformance/v1","name":"","events":[]}`, "name is empty, expected what reports call the system"},
		{"hello", `{"id":1,"protocol":"commitpoint/conformance/v1","name":"a\tb","events":[]}`, "name has control characters, expected a word or two of plain text"},
		{"hello", `{"id":1,"protocol":"commitpoint/conformance/v1","name":"q"}`, "events is missing, expected a list of texts"},
		{"hello", `{"id":1,"protocol":"commitpoint/conformance/v1","name":"q","events":["read",null]}`, "events is `[\"read\",null]`, expected a list of texts"},
		{"hello", `{"id":1,"protocol":"commitpoint/conformance/v1","name":"q","events":"read"}`, "events is `\"read\"`, expected a list of texts"},
		{"hello", `{"id":1,"protocol":"commitpoint/conformance/v1","name":"q","events":[],"parallel":1}`, "parallel is `1`, expected true or false"},
		{"submit", `{"id":3,"receipt":"c1"}`, "accepted is missing, expected true or false"},
		{"submit", `{"id":3,"accepted":"yes"}`, "accepted is `\"yes\"`, expected true or false"},
		{"submit", `{"id":3,"accepted":true}`, "receipt is missing or empty, expected that of the recorded completion, since the request was accepted"},
		{"submit", `{"id":3,"accepted":true,"receipt":""}`, "receipt is missing or empty, expected that of the recorded completion, since the request was accepted"},
		{"submit", `{"id":3,"accepted":true,"receipt":"c1","refusal":""}`, "it has a refusal, expected none, since the request was accepted"},
		{"submit", `{"id":3,"accepted":false,"receipt":"c1"}`, "it has a receipt, expected none, since the request was refused"},
		{"submit", `{"id":3,"accepted":false,"receipt":null}`, "receipt is `null`, expected a text"},
		{"submit", `{"id":3,"accepted":false,"refusal":"` + strings.Repeat("é", 101) + `"}`, "refusal has 101 characters, expected 100 at most"},
		{"submit", `{"id":3,"accepted":false,"refusal":"\u001b[31m"}`, "refusal has control characters, expected a word or two of plain text"},
		{"recorded", `{"id":4}`, "receipts is missing, expected a list of texts"},
		{"recorded", `{"id":4,"receipts":null}`, "receipts is `null`, expected a list of texts"},
		{"recorded", `{"id":4,"receipts":[1]}`, "receipts is `[1]`, expected a list of texts"},
		{"recorded", `{"id":4,"receipts":[],"status":"done"}`, "status is `done`, expected running, completed, cancelled or failed"},
		{"recorded", `{"id":4,"receipts":[],"status":""}`, "status is ``, expected running, completed, cancelled or failed"},
		{"recorded", `{"id":4,"receipts":[],"published":{"a":-1}}`, "published is `{\"a\":-1}`, expected an object with a whole number, 0 or more, for each name"},
		{"recorded", `{"id":4,"receipts":[],"published":{"a":null}}`, "published is `{\"a\":null}`, expected an object with a whole number, 0 or more, for each name"},
		{"recorded", `{"id":4,"receipts":[],"published":{"a":1,"a":1}}`, "published is `{\"a\":1,\"a\":1}`, expected an object with a whole number, 0 or more, for each name"},
		{"recorded", `{"id":4,"receipts":[],"published":["a"]}`, "published is `[\"a\"]`, expected an object with a whole number, 0 or more, for each name"},
		{"recorded", `{"id":4,"receipts":[],"state":{}}`, "state is `{}`, expected a text"},
	}
	for _, tt := range tests {
		t.Run(tt.to+" "+tt.want, func(t *testing.T) {
			t.Parallel()
			r := asked[tt.to]
			want := "the adapter answered \"" + r.String() + "\" with " + shown([]byte(tt.line)) + ": " + tt.want
			if _, err := decodeAnswer([]byte(tt.line), r); err == nil || err.Error() != want {
				t.Errorf("error %v\nwant  %s", err, want)
			}
		})
	}
}

// Whatever is understood is what Serve would send, and is understood the same again.
func FuzzDecodeAnswer(f *testing.F) {
	for _, line := range []string{
		`{"id":1,"protocol":"commitpoint/conformance/v1","name":"queue","events":["read"],"parallel":true}`, `{"id":2}`,
		`{"id":3,"accepted":true,"receipt":"c1"}`, `{"id":3,"accepted":false,"refusal":"fence"}`,
		`{"id":4,"receipts":["c1"],"status":"completed","published":{"out":1},"state":"\ud83d\ude00"}`, `{"id":4,"error":"no"}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, r := range asked {
			a, err := decodeAnswer(line, r)
			if err != nil {
				if text := err.Error(); !utf8.ValidString(text) || strings.ContainsAny(text, "\n\x1b") {
					t.Fatalf("%q has the error %q", line, text)
				}
				continue
			}
			sent, err := encode(a.complete())
			if err != nil || a.checkText() != nil {
				t.Fatalf("%q is read as %+v and can't be sent: %v", line, a, err)
			}
			if again, err := decodeAnswer(sent, r); err != nil || !reflect.DeepEqual(again.normal(), a.normal()) {
				t.Fatalf("%q is read as %+v, sent as %s and read as %+v, %v", line, a, sent, again, err)
			}
		}
	})
}

// normal returns a without the difference between nothing and an empty map, which are
// sent alike.
func (a answer) normal() answer {
	if a.Record != nil && len(a.Published) == 0 {
		a.Published = nil
	}
	return a
}
