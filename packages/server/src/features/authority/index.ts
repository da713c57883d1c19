export { tokenStatus } from './authority.ts';
export { awaitEndOfTenant, awaitEndOfToken, RequestDatabase } from './request-database.ts';
