import type { ReadQueries } from '../../../database/index.ts';
import { timeOfId } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import * as derivedReadModel from './derived-read-model.ts';
import { FindingCollector, type Findings } from './finding.ts';

/** The service may change a row while it is compared. */
const ATTEMPTS = 3;
const PURGED = 'whose first event was purged';

/** One kind of row that is derived from events. */
export interface DerivedKind<Row> {
  readonly idOf: (row: Row) => string;
  /** Its rows are also compared if their first event was purged. */
  readonly isWhole?: true;
  readonly find: (ids: readonly string[]) => Promise<Row[]>;
  /** Returns what is wrong with each of these rows, by id. */
  readonly compare: (rows: readonly Row[]) => Promise<Map<string, string>>;
}

export async function verifyKind<Row>(
  queries: ReadQueries,
  tenantId: TenantId,
  { kind, pages }: { kind: DerivedKind<Row>; pages: AsyncIterable<Row[]> },
): Promise<Findings> {
  const collector = new FindingCollector();
  for await (const rows of pages) {
    const { kept, purged } = await splitByPurge(queries, tenantId, rows, kind);
    if (purged > 0) collector.skip(PURGED, purged);
    const problems = await kind.compare(kept);
    for (const row of kept) {
      const isWrong = problems.has(kind.idOf(row));
      collector.add(isWrong ? await confirm(queries, tenantId, kind.idOf(row), kind) : undefined);
    }
  }
  return collector.findings();
}

/** Compares a row again until it does not change meanwhile. Returns the problem that remains. */
async function confirm<Row>(
  queries: ReadQueries,
  tenantId: TenantId,
  id: string,
  kind: DerivedKind<Row>,
): Promise<string | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await kind.find([id]);
    const problem = (await kind.compare(before)).get(id);
    if (problem === undefined) return undefined;
    const after = await kind.find([id]);
    const { kept } = await splitByPurge(queries, tenantId, after, kind);
    if (kept.length === 0) return undefined;
    if (JSON.stringify(before) === JSON.stringify(after)) return problem;
  }
  return undefined;
}

/** The id of a derived row has the arrival of the event that opened it. Retention removes the first events. */
async function splitByPurge<Row>(
  queries: ReadQueries,
  tenantId: TenantId,
  rows: readonly Row[],
  { idOf, isWhole: isAlways }: DerivedKind<Row>,
): Promise<{ kept: Row[]; purged: number }> {
  if (isAlways) return { kept: [...rows], purged: 0 };
  const firstMs = await derivedReadModel.findFirstWhole(queries, tenantId);
  const kept = rows.filter((row) => timeOfId(idOf(row)) >= firstMs);
  return { kept, purged: rows.length - kept.length };
}

export function problemsOf<Row>(
  rows: readonly Row[],
  compare: (row: Row) => [string, string | undefined],
): Map<string, string> {
  return new Map(
    rows.flatMap((row) => {
      const [id, problem] = compare(row);
      return problem === undefined ? [] : [[id, problem] as const];
    }),
  );
}
