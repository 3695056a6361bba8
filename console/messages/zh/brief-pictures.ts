import { translation } from '../catalog.ts';
import type english from '../en/brief-pictures.ts';

/** Strings for the reference pictures of a published brief. */
export default translation<typeof english>({
  title: '参考图片',
  open: '打开参考图片 {number}',
});
