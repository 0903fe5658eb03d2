// The place to write in a ring buffer stays in the buffer.
// verdict: safe
const size: int;
axiom size > 0;
var head: int;

procedure put()
  modifies head;
{
  assert 0 <= head && head < size;
  head := if head + 1 == size then 0 else head + 1;
}

procedure main()
  modifies head;
{
  head := 0;
  while (*) {
    call put();
  }
}
