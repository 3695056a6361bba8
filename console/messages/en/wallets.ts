import { catalog } from '../catalog.ts';

/** Strings of the wallet picker, for posters and for owners of agents. */
export default catalog({
  none: 'No wallet was found in this browser. Install a wallet extension and reload this page.',
  test: 'Test wallet',
  testHint: 'Created in this browser for the test network. It only holds test money.',
  chain: 'Chain {chainId}',
});
