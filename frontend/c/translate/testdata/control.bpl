procedure {:entrypoint} $entry()
{
  var $t1: i32;

  call $t1 := main();
}

procedure main() returns ($result: i32)
{
  var n: i32;
  var k: i32;
  var i: i32;

  havoc n;
  k := 0;
  assume $ge.i32(n, 0);
  i := 0;
 $loop1:
  if ($lt.i32(i, n)) {
    if (i == 5) {
      goto $continue2;
    }
    if (i == 7) {
      goto $break3;
    }
    k := $add.i32(k, 2);
   $continue2:
    i := $add.i32(i, 1);
    goto $loop1;
  }
 $break3:
 $loop4:
  k := $sub.i32(k, 1);
  if (k == 3) {
    goto out;
  }
  if ($gt.i32(k, 0)) {
    goto $loop4;
  }
 $loop5:
  if (k == 1) {
    goto $case6;
  }
  if ($ge.i32(k, 2) && $le.i32(k, 9)) {
    goto $case7;
  }
  goto $case8;
 $case6:
  k := 4;
 $case7:
  k := $add.i32(k, 1);
  goto $break9;
 $case8:
  assume false;
 $break9:
  if ($gt.i32(k, 20)) {
    goto $break10;
  }
  goto $loop5;
 $break10:
 out:
  assert {:error "__VERIFIER_assert"} $ge.i32(k, 0);
  $result := k;
  return;
}
