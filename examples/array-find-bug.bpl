// A search that gives up one element too early.
// verdict: unsafe
var a: [int]int;

procedure find(x: int, n: int) returns (at: int)
{
  at := 0;
  while (at < n - 1) {
    if (a[at] == x) { return; }
    at := at + 1;
  }
  at := -1;
}

procedure main()
{
  var at: int;
  assume a[0] == 1 && a[1] == 5 && a[2] == 7;
  call at := find(7, 3);
  assert at == 2;
}
