var g: i32;

procedure {:entrypoint} $entry()
{
  var $t1: i32;

  g := 0;
  call $t1 := main();
}

procedure main() returns ($result: i32)
{
  var i: i32;
  var a: [int]i32;
  var y: i32;
  var $t1: i32;
  var $t2: i32;
  var $t3: int;
  var $t4: i32;
  var $t5: bool;
  var $t6: i32;
  var $t7: bool;
  var $t8: i32;
  var b: u8;
  var $t9: i32;
  var $t10: i32;

  havoc i;
  havoc a;
  $t1 := g;
  call $t2 := f(i);
  y := $add.i32($t1, $t2);
  $t3 := $index.i32(i);
  $t4 := i;
  i := $add.i32($t4, 1);
  a[$t3] := $add.i32($t4, g);
  $t5 := $gt.i32(i, 3);
  if ($t5) {
    call $t6 := f(y);
    $t5 := $gt.i32($t6, 2);
  }
  $t7 := $t5;
  if (!$t7) {
    havoc $t8;
    $t7 := $t8 != 0;
  }
  if ($t7) {
    y := if $gt.i32(i, 2) then i else $neg.i32(i);
  }
  havoc b;
  assume $le.u8(b, 1);
  y := if b != 0 then y else 2;
  if (i != 0) {
    call $t10 := f(1);
    $t9 := $t10;
  } else {
    g := $add.i32(g, 1);
    $t9 := g;
  }
  y := $t9;
  if ($lt.i32(i, y)) {
    assert {:error "reach_error"} false;
  }
  $result := $add.i32(y, a[3]);
  return;
}

procedure f(x: i32) returns ($result: i32)
{
  g := x;
  $result := $add.i32(g, 1);
  return;
}
