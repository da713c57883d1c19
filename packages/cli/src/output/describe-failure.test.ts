import { expect, test } from 'vitest';
import { describeFailure } from './describe-failure.ts';

test('an interrupted command has the exit code 130', async () => {
  const reason = AbortSignal.abort().reason;
  expect(await describeFailure(reason)).toMatchObject({ code: 'interrupted', exitCode: 130 });
});
