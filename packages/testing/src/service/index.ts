export type { TestAnswer } from './check-answer.ts';
export {
  type ContractClient,
  createContractClient,
} from './contract-client.ts';
export { listAudit } from './list-audit.ts';
export { PASSWORD_COST } from './password-cost.ts';
export { openPipeline, type SlowAnswer, sendHead, watchAdmissions } from './slow-request.ts';
export { testFetch } from './test-fetch.ts';
export { createPerson, createPersonCredential, type TestPerson } from './test-person.ts';
export {
  startTestService,
  type TestService,
  type TestTenant,
} from './test-service.ts';
export { openTestStream, type ReceivedMessage, type TestStream } from './test-stream.ts';
export { registerTestWebhook, type TestWebhook, WEBHOOK_ENV } from './test-webhook.ts';
export { useTestService } from './use-test-service.ts';
