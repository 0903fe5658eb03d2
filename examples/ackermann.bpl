// Ackermann's function is greater than its second argument.
// verdict: safe
procedure ackermann(m: int, n: int) returns (r: int)
{
  if (m == 0) {
    r := n + 1;
  } else {
    if (n == 0) {
      call r := ackermann(m - 1, 1);
    } else {
      call r := ackermann(m, n - 1);
      call r := ackermann(m - 1, r);
    }
  }
}

procedure main()
{
  var m, n, r: int;
  assume m >= 0 && n >= 0;
  call r := ackermann(m, n);
  assert r > n;
}
