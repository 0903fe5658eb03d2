// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

// Who owns it is never nobody, though an heir may be.
contract Ownership {
    address private owner = address(1);
    address private heir;

    function name(address next) external {
        heir = next;
    }

    function inherit() external {
        require(heir != address(0));
        owner = heir;
        heir = address(0);
        assert(owner != address(0)); // safe
        assert(heir != owner); // safe
    }

    function check() external view {
        assert(owner != address(0)); // safe
        assert(heir == address(0) || heir != owner); // bug
    }
}
