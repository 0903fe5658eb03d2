// A file is opened before it is read and closed once; the state is a global, the way through it a goto.
// verdict: safe
type State;
const unique closed: State;
const unique opened: State;
var state: State;

procedure open()
  requires state == closed;
  ensures state == opened;
  modifies state;
{
  state := opened;
}

procedure read() returns (more: bool)
  requires state == opened;
{
}

procedure main()
  modifies state;
{
  var more: bool;
  state := closed;
  call open();
Loop:
  call more := read();
  goto Again, Done;
Again:
  assume more;
  goto Loop;
Done:
  assume !more;
  state := closed;
  assert state != opened;
}
