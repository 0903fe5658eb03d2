// McCarthy's 91 function: 91 for every argument up to 100.
// verdict: safe
procedure mc91(n: int) returns (r: int)
{
  if (n > 100) {
    r := n - 10;
  } else {
    call r := mc91(n + 11);
    call r := mc91(r);
  }
}

procedure main()
{
  var n, r: int;
  assume n <= 100;
  call r := mc91(n);
  assert r == 91;
}
