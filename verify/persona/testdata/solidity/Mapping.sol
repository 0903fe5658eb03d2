// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

// Votes are counted once a voter.
contract Votes {
    mapping(address => bool) private voted;
    uint256 private yes;
    uint256 private total;

    function vote(address voter, bool inFavour) external {
        require(!voted[voter]);
        voted[voter] = true;
        total++;
        if (inFavour) yes++;
        assert(voted[voter]); // safe
        assert(yes <= total); // safe
    }

    function result() external view {
        assert(yes <= total); // safe
        assert(yes == total || total < 2); // bug
    }
}
