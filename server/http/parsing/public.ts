// Reads bodies, headers, paths, and queries by the contract: the public interface of http/parsing/.

export { givenBody, readBytes, receiveBody, type ReceivedBody, requirePlainJson } from './body.ts';
export { parseFields, parseInput, type RequestParts, withFurtherFaults } from './input.ts';
