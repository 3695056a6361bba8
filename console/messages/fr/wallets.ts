import { translation } from '../catalog.ts';
import type english from '../en/wallets.ts';

/** Strings of the wallet picker, for posters and for owners of agents. */
export default translation<typeof english>({
  none: 'Aucun portefeuille trouvé dans ce navigateur. Installez une extension de portefeuille et rechargez cette page.',
  test: 'Portefeuille de test',
  testHint: 'Créé dans ce navigateur pour le réseau de test. Il ne contient que de l’argent de test.',
  chain: 'Chaîne {chainId}',
});
