var table: [int]i32;
var small.0: i32;
var small.1: i32;
var small.2: i32;

procedure {:entrypoint} $entry()
{
  var $t1: i32;

  table := (lambda i: int :: 0);
  small.0, small.1, small.2 := 1, 2, 0;
  call $t1 := main();
}

procedure main() returns ($result: i32)
{
  var u: i32;
  var v: i32;
  var local: [int]i32;
  var p.1.x: i32;
  var p.1.y: i32;
  var p.1.f: u32;
  var q.x: i32;
  var q.y: i32;
  var q.f: u32;
  var $t1: i32;
  var $t2: i32;
  var $t3: i32;

  u := 1;
  v := 2;
  havoc local;
  p.1.x, p.1.y, p.1.f := 1, 2, 0;
  havoc q.x, q.y, q.f;
  call u, v := swap(u, v);
  call u := swap#1(3, u);
  call p.1.x, p.1.y, p.1.f := move(10, p.1.x, p.1.y, p.1.f);
  q.x, q.y, q.f := p.1.x, p.1.y, p.1.f;
  small.2 := small.1;
  local[0] := 1;
  call $t1 := sum(10);
  call $t2 := sum#1(5, 3, local);
  call $t3 := sum#2(2, $index.i32(u));
  if ($add.i32($add.i32($add.i32($t1, $t2), $t3), q.x) == small.2) {
    assert {:error "reach_error"} false;
  }
  $result := 0;
  return;
}

procedure swap(a^in: i32, b^in: i32) returns (a^: i32, b^: i32)
{
  var t: i32;

  a^ := a^in;
  b^ := b^in;
  t := a^;
  a^ := b^;
  b^ := t;
}

procedure swap#1(a^at0: int, b^in: i32) returns (b^: i32)
{
  var t: i32;

  b^ := b^in;
  t := table[a^at0];
  table[a^at0] := b^;
  b^ := t;
}

procedure move(by: i32, p^.xin: i32, p^.yin: i32, p^.fin: u32) returns (p^.x: i32, p^.y: i32, p^.f: u32)
{
  p^.x, p^.y, p^.f := p^.xin, p^.yin, p^.fin;
  p^.x := $add.i32(p^.x, by);
  p^.f := $and.u32($convert.i32.u32(by), 7);
}

procedure sum(n: i32) returns ($result: i32)
{
  var s: i32;
  var i: i32;

  s := 0;
  i := 0;
 $loop1:
  if ($lt.i32(i, n)) {
    s := $add.i32(s, table[$index.i32(i)]);
    i := $add.i32(i, 1);
    goto $loop1;
  }
  $result := s;
  return;
}

procedure sum#1(n: i32, a.1^at0: int, a.1^in: [int]i32) returns ($result: i32)
{
  var s: i32;
  var i: i32;

  s := 0;
  i := 0;
 $loop1:
  if ($lt.i32(i, n)) {
    s := $add.i32(s, a.1^in[a.1^at0 + $index.i32(i)]);
    i := $add.i32(i, 1);
    goto $loop1;
  }
  $result := s;
  return;
}

procedure sum#2(n: i32, a.1^at0: int) returns ($result: i32)
{
  var s: i32;
  var i: i32;

  s := 0;
  i := 0;
 $loop1:
  if ($lt.i32(i, n)) {
    s := $add.i32(s, table[a.1^at0 + $index.i32(i)]);
    i := $add.i32(i, 1);
    goto $loop1;
  }
  $result := s;
  return;
}
