export {
  type ContractClient,
  checkAnswer,
  createContractClient,
  findOperation,
  type TestAnswer,
  type TestRequest,
} from './contract-client.ts';
export { startTestService, type TestService, type TestTenant } from './test-service.ts';
export { registerTestWebhook, type TestWebhook, WEBHOOK_ENV } from './test-webhook.ts';
