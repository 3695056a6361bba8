import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The input of a decoder: the whole file, the CPU time that it may use, and what the script needs besides. */
export type PictureJob = { bytes: Uint8Array; cpuMs: number };

export type PictureAnswer = { ok: false } | ({ ok: true } & Record<string, unknown>);

/** The most that one picture may use; the decoder looks at itself every 50 ms. `niceness`: 0 is the service's priority. */
export type PictureLimits = { memoryMb: number; niceness: number };

/**
 * `cpu`, `memory`: the picture is the cause, and the process was ended. `crash`: the process ended by itself, or by the
 * system. `stalled`: it did not answer although it used no CPU, so the machine is the cause.
 */
export type Outcome<Answer> = Answer | 'cpu' | 'memory' | 'crash' | 'stalled';

export type DecodeProcess<Job, Answer> = {
  /** Decodes one picture at a time. Throws only when no process can start, which is a fault of the service. */
  decode(job: Job): Promise<Outcome<Answer>>;
  close(): Promise<void>;
};

/** A message of a decoder: that it is ready, the answer to a job, or the limit that a picture exceeds. */
export type DecoderMessage = { ready: true } | { answer: PictureAnswer } | { over: 'cpu' | 'memory' };

// A machine that is so busy that an inspection gets a tenth of a processor. Only a stopped process reaches this.
const STALLED_MS = 30_000;

/**
 * Creates a process that runs a script made with decode-worker.ts. It starts at its first picture. After a picture that
 * crashes it or exceeds a limit, a new process starts at the next call.
 *
 * A process, not a thread: only a process can be stopped within native code, its CPU time and memory are its own, and a
 * decoder that a picture takes over finds no keys in it.
 */
export function createDecodeProcess<Job extends PictureJob, Answer extends PictureAnswer>(
  limits: PictureLimits,
  script: URL,
  stalledMs = STALLED_MS,
): DecodeProcess<Job, Answer> {
  let child: ChildProcess | null = null;
  /** Every process that has not ended, also one that still starts. */
  const alive = new Set<ChildProcess>();

  async function start(): Promise<ChildProcess> {
    const started = fork(fileURLToPath(script), [JSON.stringify(limits)], {
      // No variable of the service reaches it. Fewer arenas of malloc keep its memory small.
      env: { MALLOC_ARENA_MAX: '2' },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    if (started.pid !== undefined) alive.add(started);
    started.once('exit', () => {
      alive.delete(started);
      if (child === started) child = null;
    });
    await ready(started);
    return started;
  }

  async function decode(job: Job): Promise<Outcome<Answer>> {
    const current = (child ??= await start());
    const { promise, resolve } = Promise.withResolvers<Outcome<Answer>>();
    // The scripts of one pool send only answers of its kind.
    const heard = (message: DecoderMessage) => {
      if ('answer' in message) resolve(message.answer as Answer);
      if ('over' in message) resolve(message.over);
    };
    const died = () => resolve('crash');
    const timer = setTimeout(resolve, stalledMs, 'stalled');
    keepAlive(current, true);
    current.on('message', heard);
    current.once('exit', died);
    current.send(job, (error) => error && died());
    const outcome = await promise;
    clearTimeout(timer);
    current.off('message', heard);
    current.off('exit', died);
    keepAlive(current, false);
    if (typeof outcome === 'string') {
      if (child === current) child = null;
      current.kill('SIGKILL');
    }
    return outcome;
  }

  async function close(): Promise<void> {
    await Promise.all([...alive].map(end));
  }

  return { decode, close };
}

/** Kills a process, and resolves when it has ended. */
async function end(child: ChildProcess): Promise<void> {
  keepAlive(child, true);
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill('SIGKILL');
  await promise;
}

/** Resolves at the first message. Rejects with the end of what the process printed before it ended. */
async function ready(child: ChildProcess): Promise<void> {
  const printed: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => {
    if (printed.length < 100) printed.push(chunk.toString('utf8'));
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once('message', () => resolve());
  child.once('error', reject);
  const ended = () => reject(new Error(`the picture decoder did not start: ${printed.join('').slice(-2_000)}`));
  child.once('close', ended);
  await promise;
  child.off('close', ended);
  // From now on, it prints only about pictures of strangers, which helps nobody.
  child.stderr?.removeAllListeners('data').resume();
  // An error of the channel comes with the end of the process, which `exit` reports.
  child.on('error', () => undefined);
  keepAlive(child, false);
}

/** A decoder keeps the service's process alive only while it works. */
function keepAlive(child: ChildProcess, alive: boolean): void {
  const pipes = [child.channel, child.stderr as { ref?(): void; unref?(): void } | null];
  for (const each of [child, ...pipes]) {
    if (alive) each?.ref?.();
    else each?.unref?.();
  }
}
