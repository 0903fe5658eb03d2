// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

// A stack that grows and shrinks by one.
contract Stack {
    uint256[] private items;

    function push(uint256 item) external {
        uint256 before = items.length;
        items.push(item);
        assert(items.length == before + 1); // safe
        assert(items[before] == item); // safe
    }

    function pop() external {
        require(items.length > 0);
        items.pop();
        assert(items.length < 2); // bug
    }
}
