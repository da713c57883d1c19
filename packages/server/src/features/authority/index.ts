export { type Requester, tokenStatus } from './authority.ts';
export { lockTenant } from './authority-read-model.ts';
export {
  awaitEndOfTenant,
  awaitEndOfToken,
  awaitEndOfTokens,
  confirmCredential,
  RequestDatabase,
} from './request-database.ts';
