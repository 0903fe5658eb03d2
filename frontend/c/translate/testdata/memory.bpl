var $M8.x: i32;
var $M9.v: [ref]u8;
var $M12: [ref]ref;
var $M11: [ref]i32;
var $top12: ref;

procedure {:entrypoint} $entry()
{
  var $t1: i32;
  var $t2: i32;

  $top12 := 268435456;
  havoc $t1;
  assume $ge.i32($t1, 1);
  call $t2 := main($t1);
}

procedure main(argc: i32) returns ($result: i32)
{
  var list.1: ref;
  var $t1: ref;
  var p: ref;
  var op: ref;
  var $t2: i32;
  var $t3: i32;
  var $t4: i32;

  call $t1 := \push(0, 1);
  call list.1 := \push($t1, 2);
  $M8.x := 0;
  p := if $gt.i32(argc, 2) then 65536 else 0;
  havoc $M9.v;
  op := if $gt.i32(argc, 1) then 16 else 32;
  $M9.v[65568] := 2;
  $M9.v[65569] := 1;
  $M9.v[65570] := 0;
  $M9.v[65571] := 0;
  if (p != 0) {
    assume 268435456 <= list.1 && list.1 < $top12;
    assume 268435456 <= $M12[list.1 + 8] && $M12[list.1 + 8] < $top12;
    if (op == 16) {
      call $t4 := twice($M11[$M12[list.1 + 8]]);
      $t2 := $t4;
    } else if (op == 32) {
      call $t3 := thrice($M11[$M12[list.1 + 8]]);
      $t2 := $t3;
    } else {
      assume false;
    }
    $M8.x := $t2;
  }
  assert {:error "__VERIFIER_assert"} $add.i32($M8.x, $convert.u8.i32($M9.v[65568])) != 5;
  $result := 0;
  return;
}

procedure \push(list: ref, value: i32) returns ($result: ref)
{
  var n: ref;
  var $t1: ref;

  $t1 := $top12;
  $top12 := $top12 + 1;
  n := $t1;
  $M11[n] := value;
  $M12[n + 8] := list;
  $result := n;
  return;
}

procedure thrice(x.1: i32) returns ($result: i32)
{
  $result := $mul.i32(3, x.1);
  return;
}

procedure twice(x: i32) returns ($result: i32)
{
  $result := $mul.i32(2, x);
  return;
}
