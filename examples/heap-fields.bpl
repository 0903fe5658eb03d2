// Two cells of a heap whose fields are maps: what is written to one is not written to the other.
// verdict: safe
type Ref;
const null: Ref;
var alive: [Ref]bool;
var value: [Ref]int;

procedure new(v: int) returns (r: Ref)
  modifies alive, value;
{
  havoc r;
  assume r != null && !alive[r];
  alive[r] := true;
  value[r] := v;
}

procedure {:entrypoint} main()
  modifies alive, value;
{
  var p, q: Ref;
  call p := new(1);
  call q := new(2);
  assert p != q;
  value[q] := 3;
  assert value[p] == 1;
}
