// An account from which nobody takes more than is there; the fee was forgotten.
var balance: int;

procedure withdraw(amount: int)
  requires amount >= 0;
  modifies balance;
{
  balance := balance - amount;
  if (amount > 100) {
    assert balance >= 0;
    balance := balance - 1;
  } else {
    assume balance >= 0;
  }
}

procedure main(first: int)
  modifies balance;
{
  balance := first;
  while (balance > 150) {
    call withdraw(200);
  }
  if (balance > 150) {
    call withdraw(1);
  }
}

// verdict: unsafe
