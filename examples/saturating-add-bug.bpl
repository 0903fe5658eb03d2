// An addition of bytes that stops at 255, except that it does not.
// verdict: unsafe
function {:bvbuiltin "bvadd"} add(x: bv8, y: bv8): bv8;
function {:bvbuiltin "bvult"} less(x: bv8, y: bv8): bool;

procedure main()
{
  var x, y, sum: bv8;
  sum := add(x, y);
  if (less(sum, x) && y != 255bv8) {
    sum := 255bv8;
  }
  assert !less(sum, x);
}
