import type { Io } from '../../../cli/src/io.ts';
import { main } from '../../../cli/src/main.ts';
import type { ParsedJson } from '../clients/parsed-json.ts';
import { sdkFetch } from './sdk.ts';

export type CliRun = {
  code: number;
  stdout: string;
  stderr: string;
  /** The standard output as JSON. */
  json(): ParsedJson;
};

export type CliOptions = {
  env?: Record<string, string>;
  /** The answer of a person at the terminal. Without it, there is no terminal. */
  answer?: string;
  stdin?: string;
  fetch?: Io['fetch'];
  signal?: AbortSignal;
};

/** Runs one command in this process, with a configuration folder of the test. */
export function commandLine(configHome: string, url?: string) {
  return async (args: string[], options: CliOptions = {}): Promise<CliRun> => {
    const { env = {}, answer, stdin = '', fetch = sdkFetch, signal = new AbortController().signal } = options;
    let stdout = '';
    let stderr = '';
    const isTTY = answer !== undefined;
    const io: Io = {
      env: { XDG_CONFIG_HOME: configHome, ...(url === undefined ? {} : { CONCOURS_URL: url }), ...env },
      stdout: { write: (text) => void (stdout += text), isTTY },
      stderr: { write: (text) => void (stderr += text), isTTY },
      ask: answer === undefined ? null : async (question) => ((stderr += question), answer),
      readStdin: async () => stdin,
      signal,
      fetch,
    };
    const code = await main(args, io, '0.0.0-test');
    return { code, stdout, stderr, json: () => JSON.parse(stdout) };
  };
}
