// McCarthy's 91 function, with a caller that forgets about the arguments above 101.
// verdict: unsafe
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
  assume n <= 102;
  call r := mc91(n);
  assert r == 91;
}
