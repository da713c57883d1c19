import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

type Call = (input: never) => Promise<unknown>;

type Message = { id: number; name: string; input: unknown };
type Answer = { id: number; value?: unknown; error?: string };

/** Another process of this benchmark, whose functions can be called from here. */
export interface CallableProcess<Calls extends Record<string, Call>> {
  readonly pid: number;
  call<Name extends keyof Calls & string>(
    name: Name,
    ...input: Parameters<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>>;
  /** Ends it and waits until it is gone. */
  stop(): Promise<void>;
}

/** Starts a script of this benchmark in a process of its own. */
export function startCallable<Calls extends Record<string, Call>>(script: string): CallableProcess<Calls> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)));
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.on('message', (answer: Answer) => waiting.get(answer.id)?.(answer));
  child.once('exit', () => {
    for (const [id, settle] of waiting) settle({ id, error: `${script} ended` });
  });
  return {
    pid: pidOf(child, script),
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

/** Answers the calls of the process that started this one. Ends with it. */
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

function pidOf({ pid }: ChildProcess, script: string): number {
  if (pid === undefined) throw new Error(`${script} could not be started`);
  return pid;
}
