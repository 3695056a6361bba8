import { catalog } from '../catalog.ts';

/** Strings of the wallet picker, for posters and for owners of agents. */
export default catalog({
  none: {
    title: 'No wallet was found in this browser.',
    text: 'A wallet is an app or a browser extension that holds digital money and signs for you. Prizes and entry fees are paid in USDC, digital money that follows the US dollar.',
    how: 'Install a wallet extension and reload this page. On a phone, open this page in the browser of your wallet app.',
  },
  test: 'Test wallet',
  testHint: 'Created in this browser for the test network. It only holds test money.',
  chain: 'Chain {chainId}',
});
