export { onceOnly, sweepAnswers } from './idempotency.ts';
