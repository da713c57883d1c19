import type { ReadQueries } from '../../../database/index.ts';
import { auditHeadStore } from '../../audit/index.ts';
import type { ExpectedPoints } from './checkpoint.ts';
import type { Findings } from './finding.ts';
import { hasFields } from './has-fields.ts';
import { RecordedRemovals, type Removals } from './recorded-removals.ts';
import { type AuditCheck, verifyAudit } from './verify-audit.ts';
import { RecordedErasures } from './verify-erased.ts';
import { RecordedIdentities } from './verify-identities.ts';
import { RecordedSettings } from './verify-settings.ts';

/** How often a log is read again that changes while rows are compared with it. */
const ATTEMPTS = 3;

/** A tenant's audit log, and the rows that were compared with it. */
interface LogCheck {
  readonly audit: AuditCheck;
  readonly tokens: Findings;
  readonly devices: Findings;
  readonly policies: Findings;
  readonly webhooks: Findings;
  /** Undefined for a store of a version that has no places of erased events. */
  readonly erased: Findings | undefined;
  /** What the log says about rows that the service has removed. */
  readonly removals: Removals;
}

/** Verifies a tenant's audit chain, and the rows that the log describes against what it says about them. */
export async function verifyLogged(
  queries: ReadQueries,
  tenantId: string,
  { expected, mayBeErased }: { expected: ExpectedPoints; mayBeErased: boolean },
): Promise<LogCheck> {
  for (let attempt = 1; ; attempt += 1) {
    const identities = new RecordedIdentities();
    const settings = new RecordedSettings();
    const erasures = new RecordedErasures();
    const recorded = new RecordedRemovals();
    const audit = await verifyAudit(queries, tenantId, {
      expected,
      onEntry: (entry) => {
        if (!hasFields(entry)) return;
        identities.add(entry);
        settings.add(entry);
        recorded.add(entry);
        erasures.add(entry);
      },
    });
    const tokens = await identities.verifyTokens(queries, tenantId, audit);
    const { isComplete } = audit;
    const removals = recorded.settle({ isComplete, mayBeErased });
    const deleted = removals.deletedDevices;
    const devices = await identities.verifyDevices(queries, tenantId, { isComplete, deleted });
    const policies = await settings.verifyPolicies(queries, tenantId, audit);
    const webhooks = await settings.verifyWebhooks(queries, tenantId, audit);
    const erased = mayBeErased ? await erasures.verify(queries, tenantId, audit) : undefined;
    const all = [tokens, devices, policies, webhooks, erased];
    const problems = all.flatMap((findings) => findings?.problems ?? []);
    // Every change of these rows appends to the log in its transaction.
    const after = await auditHeadStore.read(queries, tenantId);
    const isSettled = after?.position === audit.end?.position;
    if (problems.length === 0 || isSettled || attempt === ATTEMPTS)
      return { audit, tokens, devices, policies, webhooks, erased, removals };
  }
}
