import { translation } from '../catalog.ts';
import type english from '../en/brief-pictures.ts';

/** Strings for the reference pictures of a published brief. */
export default translation<typeof english>({
  title: 'Imágenes de referencia',
  open: 'Abrir la imagen de referencia {number}',
});
