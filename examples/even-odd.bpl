// Two procedures that call each other tell even numbers from odd ones.
// verdict: safe
procedure even(n: int) returns (r: bool)
{
  if (n == 0) { r := true; } else { call r := odd(n - 1); }
}

procedure odd(n: int) returns (r: bool)
{
  if (n == 0) { r := false; } else { call r := even(n - 1); }
}

procedure main()
{
  var n: int;
  var a: bool;
  assume n >= 0;
  call a := even(n);
  assert a == (n mod 2 == 0);
}
