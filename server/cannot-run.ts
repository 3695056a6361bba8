/** The reason why the service, or a command of it, does not run, in words for its operator. */
export class CannotRun extends Error {}

/** Errors of a host that this machine does not have, or whose name cannot be resolved. */
const UNKNOWN_HOST: unknown[] = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

/** Waits for `work`. If it fails, names the setting that the operator should check. @throws CannotRun */
export async function blameSetting<T>(setting: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new CannotRun(`${setting}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Waits for a listener. If it fails, names HOST, or the setting of its port. @throws CannotRun */
export async function blameAddress<T>(portSetting: string, listening: Promise<T>): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const setting =
      error instanceof Error && 'code' in error && UNKNOWN_HOST.includes(error.code) ? 'HOST' : portSetting;
    throw new CannotRun(`${setting}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Returns the message of an error and of its cause. A host with several addresses has one error for each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
