// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

contract Loops {
    function sum(uint256 n) external pure {
        require(n < 1000);
        uint256 i = 0;
        uint256 twice = 0;
        while (i < n) {
            i++;
            twice += 2;
        }
        assert(twice == 2 * n); // safe
        assert(twice != 4); // bug
    }

    function down(uint256 n) external pure {
        uint256 i = n;
        while (i > 0) {
            i--;
        }
        assert(i == 0); // safe
    }
}
