import { expect, test } from 'vitest';
import { TenantSlots } from './tenant-slots.ts';

/** Tasks that end when a test ends them. */
function controlled() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const task =
    (name: string, fails = false) =>
    async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      if (fails) throw new Error(name);
      return name;
    };
  return { started, task, end: (name: string) => ends.get(name)?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a tenant has two tasks at a time, in order, and does not delay another tenant', async () => {
  const slots = new TenantSlots();
  const { started, task, end } = controlled();
  for (const name of ['a1', 'a2', 'a3', 'a4']) void slots.run('a', task(name));
  void slots.run('b', task('b1'));
  await settled();
  expect(started).toEqual(['a1', 'a2', 'b1']);
  end('a2');
  await settled();
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('a task that fails frees its slot', async () => {
  const slots = new TenantSlots(1);
  const { started, task, end } = controlled();
  const failed = slots.run('a', task('a1', true));
  const next = slots.run('a', task('a2'));
  await settled();
  end('a1');
  await expect(failed).rejects.toThrow('a1');
  await settled();
  expect(started).toEqual(['a1', 'a2']);
  end('a2');
  expect(await next).toBe('a2');
});
