// Two cells of a heap whose fields are maps; the allocation forgets what is in use.
// verdict: unsafe
type Ref;
const null: Ref;
var value: [Ref]int;

procedure new(v: int) returns (r: Ref)
  modifies value;
{
  havoc r;
  assume r != null;
  value[r] := v;
}

procedure {:entrypoint} main()
  modifies value;
{
  var p, q: Ref;
  call p := new(1);
  call q := new(2);
  value[q] := 3;
  assert value[p] == 1;
}
