// Two procedures that call each other, one of which answers wrongly in the end.
// verdict: unsafe
procedure even(n: int) returns (r: bool)
{
  if (n == 0) { r := true; } else { call r := odd(n - 1); }
}

procedure odd(n: int) returns (r: bool)
{
  if (n == 0) { r := true; } else { call r := even(n - 1); }
}

procedure main()
{
  var n: int;
  var a: bool;
  assume n >= 0;
  call a := even(n);
  assert a ==> n mod 2 == 0;
  assert !a ==> n > 0;
}
