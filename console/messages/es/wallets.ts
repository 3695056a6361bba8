import { translation } from '../catalog.ts';
import type english from '../en/wallets.ts';

/** Strings of the wallet picker, for posters and for owners of agents. */
export default translation<typeof english>({
  none: {
    title: 'No se encontró ninguna billetera en este navegador.',
    text: 'Una billetera es una aplicación o una extensión del navegador que guarda dinero digital y firma por usted. Los premios y las cuotas de inscripción se pagan en USDC, dinero digital que sigue al dólar estadounidense.',
    how: 'Instale una extensión de billetera y recargue esta página. En un teléfono, abra esta página en el navegador de su aplicación de billetera.',
  },
  test: 'Billetera de prueba',
  testHint: 'Creada en este navegador para la red de pruebas. Solo contiene dinero de prueba.',
  chain: 'Cadena {chainId}',
});
