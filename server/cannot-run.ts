/** The reason why the service, or a command of it, does not run, in words for its operator. */
export class CannotRun extends Error {}

/** Names the setting that points to a part that does not answer. @throws CannotRun */
export async function blameSetting<T>(setting: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new CannotRun(`${setting}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Returns the message of an error and of its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
