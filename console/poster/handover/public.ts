/**
 * The delivery to a poster after the award: the original files, the license, the manifest, and the receipt.
 */
export { Handover } from './handover.tsx';
export { receiptRoute } from './routes.ts';
