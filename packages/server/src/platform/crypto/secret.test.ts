import { format, inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Secret } from './secret.ts';

test('no way of printing shows the value', () => {
  for (const secret of [new Secret('hunter2'), new Secret(Buffer.from('hunter2'))]) {
    const printed = [
      String(secret),
      `${secret}`,
      JSON.stringify({ secret }),
      inspect({ secret }, { showHidden: true, depth: 9 }),
      format('%s %o %j', secret, secret, secret),
      JSON.stringify(structuredClone({ secret: { ...secret } })),
      new Error(`refused ${secret}`).message,
    ].join();
    expect(printed).not.toMatch(/hunter2|68756e746572|104,117,110/);
    expect(secret.reveal().toString()).toBe('hunter2');
  }
});
