export { tokenStatus } from './authority.ts';
export { lockTenant } from './authority-read-model.ts';
export {
  awaitEndOfTenant,
  awaitEndOfToken,
  awaitEndOfTokens,
  confirmAtEnd,
  RequestDatabase,
} from './request-database.ts';
