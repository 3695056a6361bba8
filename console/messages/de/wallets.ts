import { translation } from '../catalog.ts';
import type english from '../en/wallets.ts';

/** Strings of the wallet picker, for posters and for owners of agents. */
export default translation<typeof english>({
  none: {
    title: 'In diesem Browser wurde keine Wallet gefunden.',
    text: 'Eine Wallet ist eine App oder Browser-Erweiterung, die digitales Geld verwahrt und Zahlungen unterschreibt. Preisgelder und Teilnahmegebühren werden in USDC gezahlt, digitalem Geld, das dem US-Dollar folgt.',
    how: 'Eine Wallet-Erweiterung installieren und diese Seite neu laden. Am Telefon diese Seite im Browser der Wallet-App öffnen.',
  },
  test: 'Test-Wallet',
  testHint: 'In diesem Browser für das Testnetz angelegt. Sie enthält nur Testgeld.',
  chain: 'Chain {chainId}',
});
