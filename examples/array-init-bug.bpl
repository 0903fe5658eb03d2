// An array is filled with zeros but for its last element.
// verdict: unsafe
procedure main()
{
  var a: [int]int;
  var i, n: int;
  assume n >= 3;
  i := 0;
  while (i < n - 1) {
    a[i] := 0;
    i := i + 1;
  }
  assert (forall k: int :: 0 <= k && k < n ==> a[k] == 0);
}
