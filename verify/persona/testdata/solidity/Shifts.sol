// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

// A bit is computed, so that conversions to bit-vectors are nested.
contract Shifts {
    uint8 private mask;
    uint16 private word;

    function set(uint8 i) external {
        require(i < 8);
        mask = mask | uint8(1 << i);
        assert(mask > 0); // safe
    }

    function low(uint16 x) external {
        word = x & 15;
        assert(word < 16); // safe
        assert(word != 9); // bug
    }
}
