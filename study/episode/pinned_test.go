package episode

// pinned is what every mechanism comes to: in how many schedules the episode is fulfilled
// and each property is broken, and how many answers are wrong, by what stood against them.
var pinned = map[string][]string{
	"complete": {
		"fulfilled: 37973346491632",
	},
	"dispatch-on-allow": {
		"fulfilled: 52186044965040",
		"nothing is dispatched without a current ALLOW and a reservation: 3579799447224000",
		"unsafe-accept no-reservation: 3579799447224000",
	},
	"allow-is-forever": {
		"fulfilled: 95273297452296",
		"nothing is dispatched without a current ALLOW and a reservation: 1510070121737100",
		"a successor dispatches nothing without authority of its own: 654094152142200",
		"unsafe-accept revoked: 182751845730300",
		"unsafe-accept replaced: 742437453195900",
		"unsafe-accept no-fresh-authority: 938593435210200",
		"unsafe-accept stale-view: 2290477017005100",
	},
	"trusts-views": {
		"fulfilled: 37973346491632",
		"ALLOW only if every guard passes on a current view: 3272449561227000",
		"unsafe-accept revoked: 167597252361000",
		"unsafe-accept replaced: 759596527305000",
		"unsafe-accept no-fresh-authority: 1473279067260000",
		"unsafe-accept stale-view: 3315996095643000",
	},
	"hold-is-allow": {
		"fulfilled: 221121371419466",
		"ALLOW only if every guard passes on a current view: 27820150457576400",
		"nothing is dispatched without a current ALLOW and a reservation: 2143044265061700",
		"unsafe-accept revoked: 1347205977117000",
		"unsafe-accept replaced: 6132742488873000",
		"unsafe-accept no-fresh-authority: 3314877901335000",
		"unsafe-accept no-evidence: 32340586313643300",
		"unsafe-accept stale-view: 14965127061885000",
	},
	"approval-rewrites": {
		"fulfilled: 311410310316158",
		"nothing is dispatched without a current ALLOW and a reservation: 3401872872032250",
		"an approval rewrites no decision: 39975649359445800",
		"a successor dispatches nothing without authority of its own: 285415203669750",
		"unsafe-accept revoked: 1164601284773850",
		"unsafe-accept replaced: 3734069530167900",
		"unsafe-accept no-fresh-authority: 687318363928350",
		"unsafe-accept no-evidence: 5272084685134575",
		"unsafe-accept no-decision: 8178505375332600",
	},
	"revoke-erases": {
		"fulfilled: 38324023172112",
		"a revocation erases no obligation: 235988537173302816",
		"fulfilled means accepted evidence, nothing owed, nothing contested or unknown: 9367277372040",
		"unsafe-accept open-obligation: 9367277372040",
	},
	"inherits-authority": {
		"fulfilled: 44596540521052",
		"ALLOW only if every guard passes on a current view: 7955706963204000",
		"nothing is dispatched without a current ALLOW and a reservation: 937249835722200",
		"a successor dispatches nothing without authority of its own: 937249835722200",
		"unsafe-accept no-fresh-authority: 10813623797176200",
	},
	"reserve-twice": {
		"fulfilled: 52186044965040",
		"nothing is dispatched without a current ALLOW and a reservation: 3579799447224000",
		"one reservation of a resource succeeds: 6985555609032000",
		"unsafe-accept reserved-by-another: 7003783266480000",
		"unsafe-accept no-reservation: 3579799447224000",
	},
	"ack-is-effect": {
		"fulfilled: 72127909687012",
		"fulfilled means accepted evidence, nothing owed, nothing contested or unknown: 34154563195380",
		"unsafe-accept unknown-effect: 56807151820292",
		"unsafe-accept no-accepted-evidence: 34154563195380",
	},
	"unknown-is-done": {
		"fulfilled: 211271396863692",
		"fulfilled means accepted evidence, nothing owed, nothing contested or unknown: 173298050372060",
		"unsafe-accept unknown-effect: 298728443232136",
		"unsafe-accept no-accepted-evidence: 173298050372060",
	},
	"redispatch-on-silence": {
		"fulfilled: 37973346491632",
		"what may have taken effect is not dispatched again: 204490641369700",
		"unsafe-accept unknown-effect: 204701343166180",
	},
	"ignores-contradiction": {
		"fulfilled: 50601298163616",
		"fulfilled means accepted evidence, nothing owed, nothing contested or unknown: 13388671652224",
		"unsafe-accept contested: 19474431494144",
		"unsafe-accept no-accepted-evidence: 11182583709528",
	},
	"last-word-wins": {
		"fulfilled: 46417338272296",
		"fulfilled means accepted evidence, nothing owed, nothing contested or unknown: 8443991780664",
		"an observation rewrites no earlier one: 359440190663400",
		"unsafe-accept contested: 13084383660128",
		"unsafe-accept no-accepted-evidence: 8443991780664",
	},
	"closes-with-open-obligation": {
		"fulfilled: 38734066471872",
		"fulfilled means accepted evidence, nothing owed, nothing contested or unknown: 17420515718664",
		"unsafe-accept open-obligation: 17420515718664",
	},
	"output-is-outcome": {
		"fulfilled: 254168227471680",
		"fulfilled means accepted evidence, nothing owed, nothing contested or unknown: 216194880980048",
		"unsafe-accept no-accepted-evidence: 216194880980048",
	},
	"ended-is-fulfilled": {
		"fulfilled: 309388604124600000",
		"fulfilled means accepted evidence, nothing owed, nothing contested or unknown: 309368659869811224",
		"unsafe-accept unknown-effect: 309108296469205560",
		"unsafe-accept contested: 183592883888976",
		"unsafe-accept no-accepted-evidence: 309349185410145912",
		"unsafe-accept open-obligation: 309243550827373344",
	},
	"never-closes": {
		"what is due is not refused: 37973346491632",
		"eligible-reject closure: 57309025296216",
	},
}
