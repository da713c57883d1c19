import { createTestContext } from '@tps/testing/tps';
import { expect, test } from 'vitest';
import { readNamedBytes, readNamedFile } from './read-named-file.ts';

test('an input over the limit is rejected', async () => {
  const read = (input: string) => readNamedBytes(createTestContext({ input }).context, '-', 4);
  expect((await read('1234')).toString()).toBe('1234');
  await expect(read('12345')).rejects.toThrow('larger than 4 bytes');
});

test('an empty input and a missing file are usage errors', async () => {
  const { context } = createTestContext({ input: ' \n' });
  await expect(readNamedFile(context, '-')).rejects.toMatchObject({ exitCode: 2 });
  await expect(readNamedFile(context, '/nonexistent/file')).rejects.toMatchObject({
    exitCode: 2,
    message: 'Cannot read /nonexistent/file: no such file.',
  });
  await expect(readNamedFile(context, '/')).rejects.toThrow('Cannot read /: it is a directory.');
});
