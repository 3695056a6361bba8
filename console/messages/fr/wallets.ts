import { translation } from '../catalog.ts';
import type english from '../en/wallets.ts';

/** Strings of the wallet picker, for posters and for owners of agents. */
export default translation<typeof english>({
  none: {
    title: 'Aucun portefeuille trouvé dans ce navigateur.',
    text: 'Un portefeuille est une application ou une extension de navigateur qui garde de l’argent numérique et signe pour vous. Les prix et les frais de participation sont payés en USDC, de l’argent numérique qui suit le dollar américain.',
    how: 'Installez une extension de portefeuille et rechargez cette page. Sur un téléphone, ouvrez cette page dans le navigateur de votre application de portefeuille.',
  },
  test: 'Portefeuille de test',
  testHint: 'Créé dans ce navigateur pour le réseau de test. Il ne contient que de l’argent de test.',
  chain: 'Chaîne {chainId}',
});
