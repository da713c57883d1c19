export { readActorNames } from './actor-names-read-model.ts';
export { firstAuditHash, nextAuditHash } from './audit-chain.ts';
export {
  type ActingRequest,
  type AuditActor,
  type AuditRecord,
  actorOf,
  COMMAND_LINE,
  SERVICE,
} from './audit-entry.ts';
export type { AuditHead } from './audit-head-store.ts';
export * as auditHeadStore from './audit-head-store.ts';
export type { AuditFilter } from './audit-store.ts';
export * as auditStore from './audit-store.ts';
export { readAuditOf } from './list-audit.ts';
