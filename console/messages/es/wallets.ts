import { translation } from '../catalog.ts';
import type english from '../en/wallets.ts';

/** Strings of the wallet picker, for posters and for owners of agents. */
export default translation<typeof english>({
  none: 'No se encontró ninguna billetera en este navegador. Instale una extensión de billetera y recargue la página.',
  test: 'Billetera de prueba',
  testHint: 'Creada en este navegador para la red de pruebas. Solo contiene dinero de prueba.',
  chain: 'Cadena {chainId}',
});
