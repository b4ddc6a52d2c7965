package ownership

// Properties is a set of what has to hold of every schedule.
type Properties uint8

// The properties. The last two are there so that doing nothing does not pass.
const (
	OtherGenerationsStay Properties = 1 << iota
	OtherOwnersStay
	OtherRunsStay
	UnknownIsNotRemoved
	BSurvives
	RetainedStays
	DueIsRemoved
	KnownIsReported
)

// propertyNames are in the order of the properties.
var propertyNames = [...]string{
	"a cleanup removes no workload of another generation",
	"a cleanup aims at no workload of another session",
	"a cleanup removes no workload of another run",
	"what is unknown is never reported as removed",
	"B survives the cleanup of A",
	"a workload whose retention counts is not removed",
	"what may be removed is removed when it is asked for",
	"what is known to be removed is reported as removed",
}

// PropertyNames returns what each property says, in their order.
func PropertyNames() []string { return propertyNames[:] }

// Has reports whether the property at a position, as in PropertyNames, is in the set.
func (p Properties) Has(position int) bool { return p>>position&1 != 0 }
