/**
 * Buttons and fields for public pages, which load without the component library.
 */
export { SelectField, TextField } from './field.tsx';
export { IconButton } from './icon-button.tsx';
export { PlainButton, PrimaryButton } from './plain-button.tsx';
