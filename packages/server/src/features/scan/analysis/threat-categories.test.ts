import { THREAT_CATEGORIES } from '@tps/contract';
import { THREAT_CATEGORIES as DETECTED_CATEGORIES } from '@tps/detection';
import { expect, test } from 'vitest';

// Detection does not import the contract, so each has its own list.
test('detection and the contract have the same threat categories', () => {
  expect([...DETECTED_CATEGORIES].sort()).toEqual([...THREAT_CATEGORIES].sort());
});
