import type { ReadQueries } from '../../../database/index.ts';
import { auditHeadStore } from '../../audit/index.ts';
import type { ExpectedPoints } from './checkpoint.ts';
import type { Findings } from './finding.ts';
import { type AuditCheck, verifyAudit } from './verify-audit.ts';
import { RecordedErasures } from './verify-erased.ts';
import { RecordedIdentities } from './verify-identities.ts';

/** How often a log is read again that changes while rows are compared with it. */
const ATTEMPTS = 3;

/** A tenant's audit log, and the rows that were compared with it. */
interface LogCheck {
  readonly audit: AuditCheck;
  readonly tokens: Findings;
  readonly devices: Findings;
  /** Undefined for a store of a version that has no places of erased events. */
  readonly erased: Findings | undefined;
}

/** Verifies a tenant's audit chain, and its tokens, devices and erased events against what the log says about them. */
export async function verifyLogged(
  queries: ReadQueries,
  tenantId: string,
  { expected, mayBeErased }: { expected: ExpectedPoints; mayBeErased: boolean },
): Promise<LogCheck> {
  for (let attempt = 1; ; attempt += 1) {
    const identities = new RecordedIdentities();
    const erasures = new RecordedErasures();
    const audit = await verifyAudit(queries, tenantId, {
      expected,
      onEntry: (entry) => {
        identities.add(entry);
        erasures.add(entry);
      },
    });
    const tokens = await identities.verifyTokens(queries, tenantId, audit);
    const devices = await identities.verifyDevices(queries, tenantId, audit);
    const erased = mayBeErased ? await erasures.verify(queries, tenantId, audit) : undefined;
    const problems = [tokens, devices, erased].flatMap((findings) => findings?.problems ?? []);
    // Every change of these rows appends to the log in its transaction.
    const after = await auditHeadStore.read(queries, tenantId);
    const isSettled = after?.position === audit.end?.position;
    if (problems.length === 0 || isSettled || attempt === ATTEMPTS) return { audit, tokens, devices, erased };
  }
}
