// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

// Permissions are bits.
contract Flags {
    uint8 private constant READ = 1;
    uint8 private constant WRITE = 2;
    uint8 private flags;

    function allow(bool read, bool write) external {
        uint8 next = 0;
        if (read) next = next | READ;
        if (write) next = next | WRITE;
        flags = next;
        assert(flags <= 3); // safe
        assert(flags < 3); // bug
    }
}
