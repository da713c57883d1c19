import { expect, test } from 'vitest';
import { describeFailure } from './describe-failure.ts';

test('what somebody interrupted is no failure of its own', async () => {
  const reason = AbortSignal.abort().reason;
  expect(await describeFailure(reason)).toMatchObject({ code: 'interrupted', exitCode: 130 });
});
