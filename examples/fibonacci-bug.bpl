// The sixth Fibonacci number is eight: a bug below a tree of twenty-five calls.
// verdict: unsafe
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
  var r: int;
  call r := fib(6);
  assert r != 8;
}
