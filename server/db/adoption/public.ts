/** Brings databases of version 0.1.0 to the schema of the baselines. */
export { adoptVersion010, isFromVersion010 } from './adopt.ts';
