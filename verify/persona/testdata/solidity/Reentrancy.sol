// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

interface Receiver {
    function received() external;
}

// A lock keeps calls that come back out; the second entry forgets it.
contract Vault {
    uint256 private balance;
    bool private locked;

    function deposit(uint256 amount) external {
        require(!locked && amount < 1000 && balance < 1000);
        balance += amount;
    }

    function withdraw(Receiver to) external {
        require(!locked);
        locked = true;
        uint256 before = balance;
        to.received();
        assert(balance == before); // safe
        locked = false;
    }

    function careless(Receiver to) external {
        uint256 before = balance;
        to.received();
        assert(balance == before); // bug
    }
}
