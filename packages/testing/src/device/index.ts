export { codeOf, type SignedSend, signedSend } from './signed-send.ts';
export { auditOf, registerTestDevice, type TestDevice, testEvent } from './test-device.ts';
