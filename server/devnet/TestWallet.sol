// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A contract that pays: it accepts a signature of its owner, wrapped with a byte in front so that no plain one passes.
contract TestWallet {
    address public owner;

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        require(signature.length == 66 && signature[0] == 0x01, "TestWallet: not wrapped");
        bytes32 r = bytes32(signature[1:33]);
        bytes32 s = bytes32(signature[33:65]);
        address signer = ecrecover(digest, uint8(signature[65]), r, s);
        return signer != address(0) && signer == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}
