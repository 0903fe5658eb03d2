// A procedure without a body does what its contract says: a number generator with a range.
// verdict: safe
procedure random(low: int, high: int) returns (r: int);
  requires low <= high;
  ensures low <= r && r <= high;

procedure main()
{
  var i, sum, r: int;
  i := 0;
  sum := 0;
  while (i < 10) {
    call r := random(1, 6);
    sum := sum + r;
    i := i + 1;
  }
  assert 10 <= sum && sum <= 60;
}
