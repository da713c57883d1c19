export { createTestEnrolment, enrolTestDevice, sendEnrolment } from './enrol-test-device.ts';
export { codeOf, type SignedSend, signedSend } from './signed-send.ts';
export { registerTestDevice, type TestDevice, testEvent } from './test-device.ts';
