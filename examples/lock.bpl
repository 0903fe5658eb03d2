// A lock that is taken before it is given back, around work that may be repeated.
// verdict: safe
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
  var old_requests, requests: int;
  held := false;
  old_requests := requests + 1;
  while (old_requests != requests) {
    call lock();
    old_requests := requests;
    if (*) {
      call unlock();
      requests := requests + 1;
    }
  }
  call unlock();
}
