// Fibonacci numbers by two calls: never less than their index minus one.
// verdict: safe
procedure fib(n: int) returns (r: int)
{
  var a, b: int;
  if (n < 2) {
    r := n;
    return;
  }
  call a := fib(n - 1);
  call b := fib(n - 2);
  r := a + b;
}

procedure main()
{
  var n, r: int;
  assume n >= 0;
  call r := fib(n);
  assert r >= n - 1;
}
