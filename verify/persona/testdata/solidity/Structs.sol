// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

// A position's parts change together.
contract Positions {
    struct Position {
        uint256 size;
        uint256 debt;
        bool open;
    }

    Position private position;

    function open(uint256 size) external {
        require(!position.open && size > 0 && size < 1000);
        position = Position(size, size / 2, true);
        assert(position.debt < position.size); // safe
    }

    function repay() external {
        require(position.open && position.debt > 0);
        position.debt--;
        assert(position.debt < position.size); // safe
        assert(position.debt > 0); // bug
    }

    function close() external {
        require(position.open && position.debt == 0);
        delete position;
        assert(position.size == 0); // safe
    }
}
