// Ends with 0 if this copy of the repository has the commit at which an upgrade starts, else with 1.
import { versionBefore } from './versions.ts';

process.exitCode = (await versionBefore()) === null ? 1 : 0;
