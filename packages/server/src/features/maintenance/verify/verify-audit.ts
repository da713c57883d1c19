import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import { type AuditHead, auditHeadStore, firstAuditHash, nextAuditHash } from '../../audit/index.ts';
import * as auditCheckReadModel from './audit-check-read-model.ts';
import type { ChainPoint, ExpectedPoints } from './checkpoint.ts';
import { FindingCollector, type Findings } from './finding.ts';

const PAGE = 200;
/** Nodes of an older version may run this long beside the first of a new version. They write entries outside the chain. */
const UPGRADE_MS = 86_400_000;

type Entry = Row<'audit_entries'>;

export interface AuditCheck {
  readonly findings: Findings;
  readonly end: ChainPoint | undefined;
  /** Whether all entries since the first are there: none is from before the chain, and none was purged. */
  readonly isComplete: boolean;
}

/**
 * Verifies a tenant's audit chain from its first kept entry to its recorded end, and passes each entry on. Entries may be
 * appended or purged while it runs.
 */
export async function verifyAudit(
  queries: ReadQueries,
  tenantId: string,
  { onEntry, expected }: { onEntry: (entry: Entry) => void; expected: ExpectedPoints },
): Promise<AuditCheck> {
  const collector = new FindingCollector();
  // The order matters: a head that is read after the newest entry cannot lie before that entry.
  const newest = await auditCheckReadModel.findNewestPosition(queries, tenantId);
  const head = await auditHeadStore.read(queries, tenantId);
  const unchained = await auditCheckReadModel.countUnchained(queries, tenantId);
  if (unchained.count > 0) collector.skip('from before the chain', unchained.count);
  if (!head) {
    if (newest > 0) collector.report('the recorded end of the audit chain is missing');
    const problem = expected.whyTooShort(0);
    if (problem !== undefined) collector.report(problem);
    return { findings: collector.findings(), end: undefined, isComplete: false };
  }
  if (unchained.newestMs !== null && unchained.newestMs > head.startedAtMs + UPGRADE_MS)
    collector.report(`an audit entry from after the beginning of the chain is not in it`);
  if (newest > head.position)
    collector.report(`audit entry ${newest} lies after the recorded end ${head.position}`);
  const problem =
    expected.whyTooShort(head.position) ??
    (await walk(queries, tenantId, { head, expected, onEntry, collector }));
  if (problem !== undefined) collector.report(problem);
  return {
    findings: collector.findings(),
    end: { position: head.position, hash: Buffer.from(head.chainHash).toString('hex') },
    isComplete: unchained.count === 0 && head.purgedPosition === 0 && problem === undefined,
  };
}

interface Link {
  readonly position: number;
  readonly chainHash: Uint8Array;
  /** Undefined for an entry that was purged. */
  readonly occurredAtMs: number | undefined;
}

/** Returns the first problem. */
async function walk(
  queries: ReadQueries,
  tenantId: string,
  parts: {
    head: AuditHead;
    expected: ExpectedPoints;
    onEntry: (entry: Entry) => void;
    collector: FindingCollector;
  },
): Promise<string | undefined> {
  const { head, expected, onEntry, collector } = parts;
  if (head.purgedPosition === 0 && !isEqual(head.purgedHash, firstAuditHash(tenantId, head.startedAtMs)))
    return 'the start of the audit chain does not match its recorded time';
  const forged = expected.whyDiffers(head.purgedPosition, head.purgedHash);
  if (forged !== undefined) return forged;
  let before: Link = { position: head.purgedPosition, chainHash: head.purgedHash, occurredAtMs: undefined };
  for (;;) {
    const span = { after: before.position, until: head.position, limit: PAGE };
    const page = await auditCheckReadModel.listChained(queries, tenantId, span);
    for (const entry of page) {
      if (entry.position !== before.position + 1) before = await skipPurged(queries, tenantId, before);
      const problem =
        whyBroken(entry, before) ?? expected.whyDiffers(entry.position ?? 0, toLink(entry).chainHash);
      if (problem !== undefined) return problem;
      before = toLink(entry);
      collector.add();
      onEntry(entry);
    }
    if (page.length < PAGE) break;
  }
  if (before.position < head.position) before = await skipPurged(queries, tenantId, before);
  return whyNotEnd(before, head);
}

/** Continues behind entries that were purged during the verification. */
async function skipPurged(queries: ReadQueries, tenantId: string, before: Link): Promise<Link> {
  const now = await auditHeadStore.read(queries, tenantId);
  return now && now.purgedPosition > before.position
    ? { position: now.purgedPosition, chainHash: now.purgedHash, occurredAtMs: undefined }
    : before;
}

function whyBroken(entry: Entry, before: Link): string | undefined {
  const position = entry.position ?? 0;
  if (position !== before.position + 1)
    return before.position === 0
      ? `the first audit entry is ${position}: entries are missing before it`
      : `audit entry ${position} follows ${before.position}: entries are missing in between`;
  if (!isEqual(nextAuditHash(before.chainHash, { ...entry, position }), entry.chain_hash ?? new Uint8Array()))
    return `audit entry ${position} (${entry.audit_id}) was changed: it does not match its hash`;
  return undefined;
}

function whyNotEnd(last: Link, head: AuditHead): string | undefined {
  if (last.position < head.position)
    return `the last audit entry is ${last.position}, but the recorded end is ${head.position}`;
  // Everything up to a later entry was purged during the verification.
  if (last.position > head.position) return undefined;
  if (!isEqual(last.chainHash, head.chainHash))
    return `the chain hash of the recorded end ${head.position} differs from that of the audit entry`;
  if (last.occurredAtMs !== undefined && last.occurredAtMs !== head.occurredAtMs)
    return `the time of the recorded end ${head.position} differs from that of the audit entry`;
  return undefined;
}

function toLink(entry: Entry): Link {
  return {
    position: entry.position ?? 0,
    chainHash: entry.chain_hash ?? new Uint8Array(),
    occurredAtMs: entry.occurred_at,
  };
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one.buffer, one.byteOffset, one.byteLength).equals(other);
}
