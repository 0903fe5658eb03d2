// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

// Two accounts share a fixed supply.
contract Token {
    uint256 private alice;
    uint256 private bob;
    uint256 private immutable supply;

    constructor(uint256 amount) {
        alice = amount;
        supply = amount;
    }

    function pay(uint256 amount) external {
        require(alice >= amount);
        alice -= amount;
        bob += amount;
        assert(alice + bob == supply); // safe
    }

    function refund(uint256 amount) external {
        require(bob >= amount);
        bob -= amount;
        alice += amount;
        assert(alice <= supply); // safe
        assert(bob > 0); // bug
    }
}
