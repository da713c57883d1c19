import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

type Call = (input: never) => Promise<unknown>;

type Message = { id: number; name: string; input: unknown };
type Answer = { id: number; value?: unknown; error?: string };

/** Another process of this benchmark. Its functions can be called from here. */
export interface CallableProcess<Calls extends Record<string, Call>> {
  readonly pid: number;
  call<Name extends keyof Calls & string>(
    name: Name,
    ...input: Parameters<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>>;
  /** Ends the process and waits until it has exited. */
  stop(): Promise<void>;
}

/** Starts a script of this benchmark, given relative to this file, in its own process. */
export function startCallable<Calls extends Record<string, Call>>(script: string): CallableProcess<Calls> {
  return toCallable(fork(fileURLToPath(new URL(script, import.meta.url))), script);
}

/** Makes the functions that a child process serves callable. The child needs a channel for messages. */
export function toCallable<Calls extends Record<string, Call>>(
  child: ChildProcess,
  script: string,
): CallableProcess<Calls> {
  const { pid } = child;
  if (pid === undefined) throw new Error(`${script} could not be started`);
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.on('message', (answer: Answer) => waiting.get(answer.id)?.(answer));
  child.once('exit', () => {
    for (const [id, settle] of waiting) settle({ id, error: `${script} ended` });
  });
  return {
    pid,
    call(name, input?: unknown) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, ({ value, error }) => {
          waiting.delete(id);
          if (error === undefined) resolve(value as never);
          else reject(new Error(error));
        });
        child.send({ id, name, input } satisfies Message);
      });
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Answers the calls of the parent process, and ends when the parent ends. */
export function serveCalls(calls: Record<string, Call>): void {
  process.on('message', async ({ id, name, input }: Message) => {
    try {
      const value = await calls[name]?.(input as never);
      process.send?.({ id, value } satisfies Answer);
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.on('disconnect', () => process.exit());
}
