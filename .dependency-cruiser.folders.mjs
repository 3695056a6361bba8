export { folders as default } from './.dependency-cruiser.mjs';
