procedure {:entrypoint} $entry()
{
  var $t1: i32;

  call $t1 := main();
}

procedure main() returns ($result: i32)
{
  var x: i32;
  var y: i32;
  var $t1: u8;
  var $t2: i32;
  var $t3: i32;

  havoc x;
  havoc y;
  assume $gt.i32(x, 0) && $gt.i32(y, x);
  assume $convert.u8.i32($convert.i32.u8(y)) != 3;
  havoc $t1;
  assume $t1 != 0;
  call counts(x);
  call twice(x);
  call changes(x);
  havoc $t2;
  assume $or.i32($or.i32(if x == 3 then 1 else 0, $and.i32(if y == 3 then 1 else 0, $t2)), if x != 2 then 1 else 0) != 0;
  if (!($lt.i32(x, 5) && $lt.i32(y, 5))) {
    assert {:error "reach_error"} false;
    assume false;
  }
  $t3 := x;
  x := $add.i32($t3, 1);
  if ($t3 == 0) {
    assert {:error "reach_error"} false;
    assume false;
  }
  $result := x;
  return;
}

procedure counts(c.2: i32)
{
  if (c.2 == 0) {
    assume false;
  }
}

procedure twice(c.3: i32)
{
  if ($add.i32(c.3, c.3) == 4) {
    assume false;
  }
}

procedure changes(c.4^in: i32)
{
  var c.4: i32;

  c.4 := c.4^in;
  c.4 := 1;
  if (c.4 == 0) {
    assume false;
  }
}
