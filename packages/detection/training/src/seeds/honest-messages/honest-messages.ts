import { BANKS } from './banks.ts';
import { CODES } from './codes.ts';

/** Short messages of today's genuine senders, many of them near to what scams imitate. */
export const HONEST_MESSAGES: readonly string[] = [...CODES, ...BANKS];
