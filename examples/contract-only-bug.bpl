// Three throws of a die sum up to more than 15, sometimes.
// verdict: unsafe
procedure random(low: int, high: int) returns (r: int);
  requires low <= high;
  ensures low <= r && r <= high;

procedure main()
{
  var i, sum, r: int;
  i := 0;
  sum := 0;
  while (i < 3) {
    call r := random(1, 6);
    sum := sum + r;
    i := i + 1;
  }
  assert sum <= 15;
}
