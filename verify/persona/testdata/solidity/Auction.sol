// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

// The highest bid only rises while the auction is open.
contract Auction {
    uint256 private highest;
    uint256 private bids;
    address private leader;
    bool private closed;

    function bid(address who, uint256 amount) external {
        require(!closed && amount > highest);
        uint256 before = highest;
        highest = amount;
        leader = who;
        bids++;
        assert(highest > before); // safe
        assert(bids <= highest); // safe
    }

    function close() external {
        closed = true;
        assert(bids == 0 || highest > 0); // safe
        assert(bids < 3); // bug
    }
}
