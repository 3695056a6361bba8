/**
 * The workspace in which a poster scores entries, marks and compares them, and chooses the winner.
 */
export { JudgeGallery } from './judge-gallery.tsx';
