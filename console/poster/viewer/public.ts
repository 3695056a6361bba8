/**
 * One entry at full size, and several beside each other: pictures, score, feedback, and marks.
 */
export { BriefText } from './brief-text.tsx';
export { CompareView } from './compare-view.tsx';
export { EntryViewer } from './entry-viewer.tsx';
export { KeysHelp } from './keys-help.tsx';
export { isTyping, scoreOfKey } from './score-input.tsx';
