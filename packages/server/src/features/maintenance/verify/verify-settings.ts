import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import { timeOfId } from '../../../platform/identifiers.ts';
import { digestOfUrl, toShownUrl } from '../../webhooks/index.ts';
import { FindingCollector, type Findings, NOT_IN_LOG } from './finding.ts';
import { pagesOf, rowsWith } from './rows-read-model.ts';

type Entry = Row<'audit_entries'>;
type Fields = Readonly<Record<string, unknown>>;

/** The last entry about a policy or a webhook, which has all of its settings. */
interface LastEntry {
  readonly action: string;
  readonly fields: Fields;
  /** What only the entries of some actions have. */
  readonly kept: Fields;
}

const KINDS = {
  policy: { table: 'policies', id: 'policy_id' },
  webhook: { table: 'webhooks', id: 'webhook_id' },
} as const;

/** Collects what the audit log of one tenant says about the settings of its policies and webhooks. */
export class RecordedSettings {
  readonly #last = { policy: new Map<string, LastEntry>(), webhook: new Map<string, LastEntry>() };

  add({ action, outcome, resource_type: type, resource_id: id, fields: text }: Entry): void {
    if (outcome !== 'success' || (type !== 'policy' && type !== 'webhook')) return;
    if (!action.startsWith(`${type}.`)) return;
    const fields = JSON.parse(text) as Fields;
    // An action such as a test, which leaves the settings as they are.
    if (type === 'webhook' && fields.status === undefined) return;
    const before = this.#last[type].get(id);
    // A policy that was just created has not been updated since.
    const created = action === 'policy.create' ? { created_at: fields.updated_at } : {};
    const kept = { ...before?.kept, ...fields, ...created };
    this.#last[type].set(id, { action, fields, kept });
  }

  verifyPolicies(queries: ReadQueries, tenantId: string, log: { isComplete: boolean }): Promise<Findings> {
    return this.#verify(queries, tenantId, { type: 'policy', log, whatDiffers: whatPolicyDiffers });
  }

  async verifyWebhooks(
    queries: ReadQueries,
    tenantId: string,
    log: { isComplete: boolean },
  ): Promise<Findings> {
    const [tenant] = await rowsWith(queries, 'tenants', {
      tenantId,
      column: 'tenant_id',
      values: [tenantId],
    });
    const isSuspended = tenant !== undefined && (tenant.delete_after ?? null) !== null;
    return this.#verify(queries, tenantId, {
      type: 'webhook',
      log,
      whatDiffers: (row: Row<'webhooks'>, last) => whatWebhookDiffers(row, last, { ...log, isSuspended }),
    });
  }

  async #verify<Type extends keyof typeof KINDS, Row>(
    queries: ReadQueries,
    tenantId: string,
    {
      type,
      log,
      whatDiffers,
    }: {
      type: Type;
      log: { isComplete: boolean };
      whatDiffers: (row: Row, last: LastEntry) => string | undefined;
    },
  ): Promise<Findings> {
    const { table, id } = KINDS[type];
    const collector = new FindingCollector();
    const seen = new Set<string>();
    for await (const rows of pagesOf(queries, table, { tenantId, key: [id as never] })) {
      for (const row of rows as Row[]) {
        const rowId = String(row[id as unknown as keyof Row]);
        seen.add(rowId);
        const last = this.#last[type].get(rowId);
        if (!last && !log.isComplete) collector.skip(NOT_IN_LOG);
        else collector.add(whyDiffers(`${type} ${rowId}`, last, (entry) => whatDiffers(row, entry)));
      }
    }
    for (const [rowId, { action }] of this.#last[type])
      if (!seen.has(rowId) && action !== `${type}.delete`)
        collector.report(`${type} ${rowId} is missing, but according to the audit log it was not removed`);
    return collector.findings();
  }
}

function whyDiffers(
  name: string,
  last: LastEntry | undefined,
  whatDiffers: (last: LastEntry) => string | undefined,
): string | undefined {
  if (!last) return `${name} has no audit entry`;
  const column = whatDiffers(last);
  return column === undefined ? undefined : `${column} of ${name} differs from its last audit entry`;
}

/** Whether a recorded member differs. An entry of an older version does not have it. */
function differs(recorded: unknown, actual: string | number | boolean | null): boolean {
  return recorded !== undefined && recorded !== actual;
}

/** The same for a list in JSON. */
function differsFromJson(recorded: unknown, text: string | null): boolean {
  return recorded !== undefined && JSON.stringify(recorded) !== (text ?? 'null');
}

/** The same for a time. */
function differsFromTime(recorded: unknown, atMs: number | null): boolean {
  return recorded !== undefined && (recorded === null ? null : Date.parse(String(recorded))) !== atMs;
}

function whatPolicyDiffers(row: Row<'policies'>, { action, fields, kept }: LastEntry) {
  if (differs(fields.name, row.name)) return 'name';
  if (differsFromJson(fields.threat_categories, row.threat_categories)) return 'threat_categories';
  if (differs(fields.action, row.action)) return 'action';
  if (differs(fields.confidence_threshold, row.confidence_threshold)) return 'confidence_threshold';
  if (differs(fields.enabled, row.enabled === 1)) return 'enabled';
  if (differs(fields.version, row.version)) return 'version';
  if (differsFromTime(fields.updated_at, row.updated_at)) return 'updated_at';
  if (differsFromTime(kept.created_at, row.created_at)) return 'created_at';
  const archivedAtMs = action === 'policy.archive' ? row.updated_at : null;
  return archivedAtMs === row.archived_at ? undefined : 'archived_at';
}

function whatWebhookDiffers(
  row: Row<'webhooks'>,
  { fields, kept }: LastEntry,
  { isSuspended, isComplete }: { isSuspended: boolean; isComplete: boolean },
): string | undefined {
  const { webhook_id: webhookId, url } = row;
  const status = isSuspended && row.status === 'suspended' ? 'active' : row.status;
  const shown = URL.canParse(url) ? toShownUrl(url) : null;
  if (differs(fields.url, shown) || differs(fields.url_digest, digestOfUrl({ webhookId, url }))) return 'url';
  if (differsFromJson(fields.severity_filter, row.severity_filter)) return 'severity_filter';
  if (differs(fields.auto_replay, row.auto_replay === 1)) return 'auto_replay';
  if (differs(fields.status, status)) return 'status';
  const reason = fields.status === 'disabled' ? kept.disabled_reason : null;
  if (differs(reason, row.disabled_reason)) return 'disabled_reason';
  if (differsFromTime(fields.updated_at, row.updated_at)) return 'updated_at';
  const { previous_secret_until: until = isComplete ? null : undefined } = kept;
  // After the overlap, the previous secret may be dropped.
  if (row.previous_secret_until !== null && differsFromTime(until, row.previous_secret_until))
    return 'previous_secret_until';
  return row.created_at === timeOfId(webhookId) ? undefined : 'created_at';
}
