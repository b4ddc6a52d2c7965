package adapter

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/commitpoint/harness"
)

// read returns the error of an adapter on a payload.
func read(t *testing.T, payload string, a Adapter) error {
	t.Helper()
	var r Registry
	if err := r.Register("own", a); err != nil {
		t.Fatal(err)
	}
	_, err := r.Normalize("own", []byte(payload))
	return err
}

// checkRead compares the end of an error with what is wanted, or none.
func checkRead(t *testing.T, err error, want, why string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("%v: %s", err, why)
	case want != "" && (err == nil || err.Error() != `adapter "own": `+want):
		t.Errorf("%v, want %s: %s", err, want, why)
	}
}

func TestUint(t *testing.T) {
	const digits, large = "; send a whole number that is not negative, in digits only", ", which is out of range; send at most 18446744073709551615"
	tests := []struct {
		text, why, want string
		number          uint64
	}{
		{"0", "the least", "", 0},
		{"3", "as usual", "", 3},
		{"9007199254740993", "floats do not have it", "", 1<<53 + 1},
		{"18446744073709551615", "the most", "", 1<<64 - 1},
		{"18446744073709551616", "one too many", `$: it is "18446744073709551616"` + large, 0},
		{strings.Repeat("9", 400), "it is shown in part", `$: it is "` + strings.Repeat("9", 40) + `"` + large, 0},
		{"-1", "it is negative", `$: it is "-1"` + digits, 0},
		{"-0", "it has a sign", `$: it is "-0"` + digits, 0},
		{"3.0", "it has a fraction", `$: it is "3.0"` + digits, 0},
		{"3e0", "it has an exponent", `$: it is "3e0"` + digits, 0},
		{"1e999", "it has an exponent", `$: it is "1e999"` + digits, 0},
		{`"3"`, "it is no number", "$: it is a string; send a number", 0},
		{"false", "it is no number", "$: it is a boolean; send a number", 0},
	}
	for _, tt := range tests {
		var got uint64
		err := read(t, tt.text, func(v Value) (r harness.Receipt) { got = v.Uint(); return r })
		checkRead(t, err, tt.want, tt.why)
		if got != tt.number {
			t.Errorf("%s is %d: %s", tt.text, got, tt.why)
		}
	}
}

func TestTime(t *testing.T) {
	tests := []struct {
		text, why string
		want      time.Time // zero if it is refused
	}{
		{"2026-10-01T12:00:00Z", "as usual", noon},
		{"2026-10-01T14:30:00+02:30", "in another zone", noon},
		{"2026-10-01T12:00:00.123456789Z", "all decimals", noon.Add(123456789)},
		{"2026-10-01T12:00:00.1234567890Z", "a decimal too many", time.Time{}},
		{"9999-12-31T23:59:59Z", "the last year", time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)},
		{"9999-12-31T23:59:59-01:00", "it is the year 10000", time.Time{}},
		{"0001-01-01T00:00:01Z", "the first year", time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC)},
		{"0001-01-01T00:00:01+00:01", "it is the year 0", time.Time{}},
		{"0000-12-31T00:00:00Z", "it is the year 0", time.Time{}},
		{"2026-10-01", "no time of the day", time.Time{}},
		{"2026-10-01T12:00:00", "no zone", time.Time{}},
		{"2026-10-01 12:00:00Z", "no T", time.Time{}},
		{"2026-10-01T9:00:00Z", "one digit", time.Time{}},
		{"2026-10-01T12:00:00,5Z", "a comma", time.Time{}},
		{"2026-02-30T12:00:00Z", "no such day", time.Time{}},
		{"2026-10-01T24:00:00Z", "no such hour", time.Time{}},
		{"2026-10-01T12:00:00+24:00", "no such zone", time.Time{}},
		{"2026-10-01T12:00:00+01:60", "no such zone", time.Time{}},
		{"2026-10-02T11:59:00+23:59", "the last zone", noon},
		{"2026-10-01T12:00:00.Z", "no decimals", time.Time{}},
		{"2026-10-01T12:00:60Z", "no such second", time.Time{}},
		{" 2026-10-01T12:00:00Z", "a blank", time.Time{}},
		{"", "nothing", time.Time{}},
	}
	for _, tt := range tests {
		var got time.Time
		err := read(t, `"`+tt.text+`"`, func(v Value) (r harness.Receipt) { got = v.Time(); return r })
		want := ""
		if tt.want.IsZero() {
			want = "$: it is " + quote(tt.text) + `; send a time such as "2026-10-01T12:00:00Z"`
		}
		checkRead(t, err, want, tt.why)
		if got != tt.want {
			t.Errorf("%s is %v: %s", tt.text, got, tt.why)
		}
	}
	err := read(t, "1790855940", func(v Value) (r harness.Receipt) { v.Time(); return r })
	checkRead(t, err, "$: it is a number; send a string", "no unit is guessed")
}

// many returns so many members, m0 and on.
func many(n int) string {
	var text strings.Builder
	for i := range n {
		text.WriteString(`"m` + strconv.Itoa(i) + `":0,`)
	}
	return text.String()
}

func TestValues(t *testing.T) {
	tests := []struct {
		name, why, payload string
		read               func(Value)
		want               string
	}{
		{"items", "in order", `[1, 2, 3]`, func(v Value) {
			var got []uint64
			for _, item := range v.Items() {
				got = append(got, item.Uint())
			}
			if !slices.Equal(got, []uint64{1, 2, 3}) {
				t.Errorf("items %v", got)
			}
		}, ""},
		{"an item", "its path has an index", `{"x": [1, true]}`, func(v Value) {
			for _, item := range v.Key("x").Items() {
				item.Uint()
			}
		}, "$.x[1]: it is a boolean; send a number"},
		{"an item unread", "it is not known", `[[1, 2]]`, func(v Value) { v.Items()[0].Items()[0].Uint() }, "$[0][1]: the adapter does not know it; leave it out"},
		{"no list", "it is none", `{}`, func(v Value) { v.Items() }, "$: it is an object; send a list"},
		{"empty list", "it has been read", `[]`, func(v Value) { v.Items() }, ""},
		{"nothing is read", "it is not known", `{"a": 1}`, func(Value) {}, "$: the adapter does not know it; leave it out"},
		{"asked for, and not read", "nobody knows what it is", `{"a": 1}`, func(v Value) { v.Key("a") }, "$.a: the adapter does not know it; leave it out"},
		{"two unread", "the first in the payload is named", `{"c": 1, "b": 2, "a": 3}`, func(v Value) { v.Key("c").Uint() }, "$.b: the adapter does not know it; leave it out"},
		{"null", "it is read by that", `{"a": null}`, func(v Value) {
			if !v.Key("a").Null() {
				t.Error("it is null")
			}
		}, ""},
		{"not null", "it is still to be read", `{"a": 0}`, func(v Value) {
			if v.Key("a").Null() {
				t.Error("it is not null")
			}
		}, "$.a: the adapter does not know it; leave it out"},
		{"ignored", "with all that it has", `{"a": {"b": [1, {"c": 2}]}, "d": 1}`, func(v Value) { v.Key("a").Ignore(); v.Key("d").Uint() }, ""},
		{"others are not ignored", "they are not known", `{"a": {"b": 1}, "d": 1}`, func(v Value) { v.Key("a").Ignore() }, "$.d: the adapter does not know it; leave it out"},
		{"missing and ignored", "it is still missing", `{}`, func(v Value) { v.Key("a").Ignore() }, "$.a: it is missing; send it"},
		{"optional and there", "also as null", `{"a": null}`, func(v Value) {
			a, found := v.Optional("a")
			if !found || !a.Null() {
				t.Error("it is there")
			}
		}, ""},
		{"optional and absent", "nothing is wrong", `{}`, func(v Value) {
			if _, found := v.Optional("a"); found {
				t.Error("it is not there")
			}
		}, ""},
		{"optional of no object", "it is none", `[]`, func(v Value) { v.Optional("a") }, "$: it is a list; send an object"},
		{"refused", "by the adapter's own rule", `{"a": 7}`, func(v Value) {
			if a := v.Key("a"); a.Uint() > 5 {
				a.Refuse("it is above 5", "send less")
			}
		}, "$.a: it is above 5; send less"},
		{"refused twice", "the first counts", `{"a": 7}`, func(v Value) {
			v.Refuse("it is wrong", "send another")
			v.Key("a").Refuse("it is above 5", "send less")
		}, "$: it is wrong; send another"},
		{"after a refusal", "all is zero, and nothing more is wrong", `{"a": 7, "b": true, "c": "x", "d": "2026-10-01T12:00:00Z", "e": null, "f": [1]}`, func(v Value) {
			v.Refuse("it is wrong", "send another")
			word := OneOf(v.Key("c"), map[string]int{"x": 1})
			_, found := v.Optional("a")
			if v.Key("a").Uint() != 0 || v.Key("b").Bool() || v.Key("c").Text() != "" || !v.Key("d").Time().IsZero() ||
				v.Key("e").Null() || len(v.Key("f").Items()) != 0 || found || word != 0 {
				t.Error("something is read after a refusal")
			}
		}, "$: it is wrong; send another"},
		{"names that look like paths", "they are quoted", `{"a.b": {"c\"]": 1}}`, func(v Value) { v.Key("a.b").Key(`c"]`).Bool() }, `$["a.b"]["c\"]"]: it is a number; send true or false`},
		{"names apart by escapes only", "they are equal", `{"a": 1, "\u0061": 1}`, func(v Value) { v.Key("a").Uint() }, "$.a: there are two of it; send one"},
		{"twice in an item", "its path has the index", `[1, {"a": 1, "a": 1}]`, func(Value) {}, "$[1].a: there are two of it; send one"},
		{"the last of many", "all of them are looked at", `[{` + many(20000) + `"a": 1}]`, func(v Value) {
			for i, item := 0, v.Items()[0]; i < 20000; i++ {
				item.Key("m" + strconv.Itoa(i)).Uint()
			}
		}, "$[0].a: the adapter does not know it; leave it out"},
		{"names apart by case", "they are not equal", `{"a": 1, "A": 2}`, func(v Value) {
			if v.Key("a").Uint() != 1 || v.Key("A").Uint() != 2 {
				t.Error("they are mixed up")
			}
		}, ""},
		{"text", "with its escapes read", `"\u00e4\n\ud83d\ude00"`, func(v Value) {
			if got := v.Text(); got != "ä\n😀" {
				t.Errorf("text %q", got)
			}
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := read(t, tt.payload, func(v Value) harness.Receipt { tt.read(v); return harness.Receipt{} })
			checkRead(t, err, tt.want, tt.why)
		})
	}
}
