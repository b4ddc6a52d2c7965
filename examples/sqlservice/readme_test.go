package sqlservice

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestReadmeHasTheVariants(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, v := range Variants() {
		fmt.Fprintf(&table, "| `%s` | %s |\n", v.Name, v.Meaning)
	}
	if !strings.Contains(string(readme), "|---|---|\n"+table.String()+"\n") {
		t.Errorf("the README's table is not\n%s", &table)
	}
}
