// A bug at depth forty of a recursion, behind a branch that looks the other way.
// verdict: unsafe
procedure descend(depth: int, skipped: int)
{
  if (depth == 40) {
    assert skipped != 2;
    return;
  }
  goto Skip, Keep;
Skip:
  assume depth mod 20 == 7;
  call descend(depth + 1, skipped + 1);
  return;
Keep:
  call descend(depth + 1, skipped);
}

procedure main()
{
  call descend(0, 0);
}
