package study
import ("testing";"context")
func TestX(t *testing.T){
 sc,err:=Evaluate(context.Background(),Options{})
 if err!=nil{t.Fatal(err)}
 tot:=make([]Score,13); var n,el uint64; var rp Replays
 for _,s:=range sc { n+=s.Schedules; el+=s.Eligible; rp.add(s.Replays); for i:=range s.Scores{tot[i].add(s.Scores[i])} }
 t.Log(len(sc),n,el,rp)
 for _,x:=range tot{t.Log(x)}
}
func BenchmarkX(b *testing.B){ for b.Loop(){ Evaluate(context.Background(),Options{Workers:1}) } }
