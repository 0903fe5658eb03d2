// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

// Phases follow each other: collecting, then paid out or given back.
contract Crowdfunding {
    enum Phase { Collecting, Paid, Returned }
    Phase private phase;
    uint256 private collected;
    uint256 private immutable goal;

    constructor(uint256 wanted) {
        require(wanted > 10);
        goal = wanted;
    }

    function give(uint256 amount) external {
        require(phase == Phase.Collecting && amount < 100 && collected < 100000);
        collected += amount;
    }

    function finish() external {
        require(phase == Phase.Collecting);
        phase = collected >= goal ? Phase.Paid : Phase.Returned;
        assert(phase != Phase.Paid || collected > 10); // safe
        assert(phase != Phase.Paid); // bug
    }

    function check() external view {
        assert(phase != Phase.Paid || collected >= goal); // safe
    }
}
