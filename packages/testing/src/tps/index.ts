export { createTestContext } from './test-context.ts';
export { createTpsUser, TPS, type TpsUser } from './tps-user.ts';
