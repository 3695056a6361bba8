/**
 * The gallery in which a poster scores entries, compares them, and chooses the winner.
 */
export { JudgeGallery } from './judge-gallery.tsx';
