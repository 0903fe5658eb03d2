var flag: u8;

procedure {:entrypoint} $entry()
{
  var $t1: i32;

  flag := 0;
  call $t1 := main();
}

procedure main() returns ($result: i32)
{
  var c: u8;
  var $t1: i32;
  var x: i32;
  var u: u32;
  var $t2: i32;
  var l: i64;
  var $t3: i32;
  var $t4: i32;
  var same: i32;

  havoc $t1;
  c := $convert.i32.u8($t1);
  havoc x;
  havoc $t2;
  u := $convert.i32.u32($t2);
  l := if $lt.u32(4294967295, u) then 1 else 0;
  assert {:error "overflow"} $fits.add.i32($convert.u8.i32(c), 300);
  c := $convert.i32.u8($add.i32($convert.u8.i32(c), 300));
  flag := if x != 0 then 1 else 0;
  assume $convert.u8.i32(c) != 0;
  assert {:error "overflow"} $convert.u8.i32(c) == 0 || $fits.div.i32(x, $convert.u8.i32(c));
  havoc $t3;
  assert {:error "overflow"} $fits.div.i32(x, 7);
  assert {:error "overflow"} $fits.sub.i32(if $convert.u8.i32(c) == 0 then $t3 else $div.i32(x, $convert.u8.i32(c)), $rem.i32(x, 7));
  assert {:error "overflow"} $fits.add.i64(l, $convert.i32.i64($sub.i32(if $convert.u8.i32(c) == 0 then $t3 else $div.i32(x, $convert.u8.i32(c)), $rem.i32(x, 7))));
  l := $add.i64(l, $convert.i32.i64($sub.i32(if $convert.u8.i32(c) == 0 then $t3 else $div.i32(x, $convert.u8.i32(c)), $rem.i32(x, 7))));
  assume $ge.i32($convert.u8.i32(c), 0) && $lt.i32($convert.u8.i32(c), 32);
  assert {:error "overflow"} !($ge.i32($convert.u8.i32(c), 0) && $lt.i32($convert.u8.i32(c), 32)) || ($ge.i32(x, 0) && $fits.shl.i32(x, $convert.u8.i32(c)));
  havoc $t4;
  l := $xor.i64(l, $convert.u32.i64($or.u32($convert.i32.u32(if $ge.i32($convert.u8.i32(c), 0) && $lt.i32($convert.u8.i32(c), 32) then $shl.i32(x, $convert.u8.i32(c)) else $t4), $shr.u32(u, 3))));
  same := if $lt.i32(x, 3) <==> $gt.u32(u, 4) then 1 else 0;
  if (same != 0 && flag != 0 && $le.i64(l, 2)) {
    assume false;
  }
  $result := if x == (if $convert.u8.i32(c) == 1 then 1 else 0) then 1 else 0;
  return;
}
