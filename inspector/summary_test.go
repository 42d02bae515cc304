package inspector

import (
	"context"
	"testing"

	"hindcast/index"
	"hindcast/model/answer"
)

// TestSummary: S shows where it went wrong, Enter goes to what a row names, S
// again goes back.
func TestSummary(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		d := drive(t, demo(t), size[0], size[1], Options{Source: "demo:"}).see("row 1/77", "4 failed calls")
		d.press("S").see("never recovered, first", "then claims success", "$ hindcast stats").golden("summary-" + sizeName(size))
		d.copied("hindcast stats --session greeter demo:", "yc")
		d.press("Enter").at("30").see("run_command did not finish in 30 s").gone("then claims success")
		d.press("S").see("then claims success").press("j", "Enter").at("35")
		d.press("S").see("then claims success").press("S").gone("then claims success").at("35")
	}
}

// unjudged is an index whose verdict does not come until it is no longer wanted.
type unjudged struct {
	index.API
	ended chan struct{}
}

func (x unjudged) Verdict(ctx context.Context, _ string) (answer.Verdict, error) {
	<-ctx.Done()
	close(x.ended)
	return answer.Verdict{FailedCalls: 2}, ctx.Err()
}

// TestAKeyEndsTheVerdict: a verdict that takes long holds nothing up, and a key
// ends it.
func TestAKeyEndsTheVerdict(t *testing.T) {
	x := unjudged{alone(), make(chan struct{})}
	d := drive(t, x, 80, 24, Options{}).see("row 1/23", "K 1")
	d.press("j").see("row 2/23")
	<-x.ended
	d.press("x").see("context").gone("2 failed calls")
}
