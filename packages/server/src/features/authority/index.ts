export { tokenStatus } from './authority.ts';
export { awaitEndOfTenant, awaitEndOfToken, awaitEndOfTokens, RequestDatabase } from './request-database.ts';
