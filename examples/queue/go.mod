module queue.example

go 1.26.0

require (
	example.com/commitpoint v0.0.0
	pgregory.net/rapid v1.3.0
)

require golang.org/x/sync v0.25.0 // indirect

replace example.com/commitpoint => ../..
