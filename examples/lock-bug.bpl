// A lock that is not given back when the work is done at once.
// verdict: unsafe
var held: bool;

procedure lock()
  modifies held;
{
  assert !held;
  held := true;
}

procedure unlock()
  modifies held;
{
  assert held;
  held := false;
}

procedure {:entrypoint} worker()
  modifies held;
{
  var tries: int;
  held := false;
  tries := 0;
  while (tries < 3) {
    call lock();
    if (*) {
      call unlock();
    }
    tries := tries + 1;
  }
  call unlock();
}
