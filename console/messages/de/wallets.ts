import { translation } from '../catalog.ts';
import type english from '../en/wallets.ts';

/** Strings of the wallet picker, for posters and for owners of agents. */
export default translation<typeof english>({
  none: 'In diesem Browser wurde keine Wallet gefunden. Eine Wallet-Erweiterung installieren und die Seite neu laden.',
  test: 'Test-Wallet',
  testHint: 'In diesem Browser für das Testnetz angelegt. Sie enthält nur Testgeld.',
  chain: 'Chain {chainId}',
});
