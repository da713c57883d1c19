import { type AgentStorage, StorageError, type StorageErrorCode } from '../ports/storage.ts';

export type StorageCall = 'list' | 'read' | 'create' | 'replace' | 'remove' | 'append' | 'sync' | 'close';

/** How a call fails: without effect, after an append by half, or after it took effect. */
export type Fault = { readonly error: Error; readonly done: 'no' | 'half' | 'yes' } | undefined;

/** Wraps a real storage with faults. `decide` is called before each call. */
export function faultyStorage(
  storage: AgentStorage,
  decide: (call: StorageCall, name: string) => Fault,
): AgentStorage {
  async function run<Result>(
    call: StorageCall,
    name: string,
    attempt: (half: boolean) => Promise<Result>,
  ): Promise<Result> {
    const fault = decide(call, name);
    if (fault?.done === 'no') {
      throw fault.error;
    }
    const result = await attempt(fault?.done === 'half');
    if (fault !== undefined) {
      throw fault.error;
    }
    return result;
  }
  return {
    list: () => run('list', '', () => storage.list()),
    read: (name, limit) => run('read', name, () => storage.read(name, limit)),
    replace: (name, content) => run('replace', name, () => storage.replace(name, content)),
    remove: (name) => run('remove', name, () => storage.remove(name)),
    close: () => storage.close(),
    create: (name) =>
      run('create', name, async () => {
        const file = await storage.create(name);
        return {
          append: (bytes: Uint8Array) =>
            run('append', name, (half) =>
              file.append(half ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes),
            ),
          sync: () => run('sync', name, () => file.sync()),
          close: () => run('close', name, () => file.close()),
        };
      }),
  };
}

/** The process dies at a call: that call takes effect not at all, by half or fully, and no later call does. */
export function dyingStorage(storage: AgentStorage, dieAt: number, done: 'no' | 'half' | 'yes') {
  let calls = 0;
  const error = new Error('killed');
  const wrapped = faultyStorage(storage, () => {
    calls += 1;
    if (calls < dieAt) {
      return undefined;
    }
    return { error, done: calls === dieAt ? done : 'no' };
  });
  return { storage: wrapped, calls: () => calls };
}

/** A disk that a test can break and repair. */
export function breakableStorage(storage: AgentStorage) {
  const disk: { broken: StorageErrorCode | undefined; done: 'no' | 'half' | 'yes' } = {
    broken: undefined,
    done: 'no',
  };
  const changes = new Set<StorageCall>(['create', 'replace', 'remove', 'append', 'sync']);
  const wrapped = faultyStorage(storage, (call) =>
    disk.broken !== undefined && changes.has(call)
      ? { error: new StorageError(disk.broken, 'the disk is out of order'), done: disk.done }
      : undefined,
  );
  return { storage: wrapped, disk };
}
