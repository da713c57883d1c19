import { expect, test } from 'vitest';
import { createTestContext } from '../testing/test-context.ts';
import { readNamedBytes, readNamedFile } from './read-named-file.ts';

test('no more is read than fits', async () => {
  const read = (input: string) => readNamedBytes(createTestContext({ input }).context, '-', 4);
  expect((await read('1234')).toString()).toBe('1234');
  await expect(read('12345')).rejects.toThrow('more than the 4 bytes');
});

test('nothing, and a file that is not there, are the fault of who named them', async () => {
  const { context } = createTestContext({ input: ' \n' });
  await expect(readNamedFile(context, '-')).rejects.toMatchObject({ exitCode: 2 });
  await expect(readNamedFile(context, '/nonexistent/file')).rejects.toMatchObject({
    exitCode: 2,
    message: '/nonexistent/file cannot be read: there is no such file.',
  });
  await expect(readNamedFile(context, '/')).rejects.toThrow('/ cannot be read: it is a folder.');
});
