// A square as the sum of odd numbers, each of them the sum of two numbers in a row. That the sum is i * i is more than
// engines find by themselves: the program suggests it as a candidate, next to one that does not hold, which is no bug.
// verdict: safe
procedure next(i: int) returns (r: int)
{
  r := i + 1;
}

procedure main(n: int)
{
  var i, sum: int;
  i := 0;
  sum := 0;
  while (i < n)
    invariant {:candidate} sum == i * i;
    invariant {:candidate} sum <= 100;
  {
    sum := sum + i;
    call i := next(i);
    sum := sum + i;
  }
  assert i == 1000 ==> sum == 1000000;
}
