// An array that is filled with zeros has none but zeros: at any place that one looks at.
// verdict: safe
procedure main()
{
  var a: [int]int;
  var i, n, k: int;
  i := 0;
  while (i < n) {
    a[i] := 0;
    i := i + 1;
  }
  assume 0 <= k && k < n;
  assert a[k] == 0;
}
