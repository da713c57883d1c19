export { onceOnly } from './idempotency.ts';
