/** A check is not possible: nothing is known about the manifest. The message says why and what to do. */
export class CannotCheck extends Error {}
