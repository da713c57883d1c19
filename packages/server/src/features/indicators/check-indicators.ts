import type { CheckedIndicator, IndicatorCheck } from '@tps/contract';
import {
  IndicatorFormError,
  type IndicatorKey,
  keyOfCanonical,
  refang,
  toCanonicalValue,
  typeOfValue,
  UNRECOGNIZED_TYPE,
} from '@tps/detection/indicators';
import type { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { RequestDatabase } from '../authority/index.ts';
import * as indicatorStore from './indicator-store.ts';
import { toThreatIndicator } from './list-indicators.ts';

/** As the contract bounds the answer. */
const MAX_KNOWN = 10;

type Value = IndicatorCheck['indicators'][number];
type ReadValue = Omit<CheckedIndicator, 'known'> & { readonly key?: IndicatorKey };

/** Reads values as an import would, and finds the stored indicators with the same values. */
export async function checkIndicators(
  { database, turns }: { database: Pick<RequestDatabase, 'read'>; turns: FairTurns },
  tenantId: TenantId,
  values: readonly Value[],
): Promise<CheckedIndicator[]> {
  const read = await turns.runEach(tenantId, values, readValue);
  const keys = read.flatMap(({ key }) => (key === undefined ? [] : [key]));
  const known = await indicatorStore.findAnyByKey(database.read, tenantId, keys);
  return read.map(({ key, ...value }) => {
    const found = key === undefined ? [] : (known.get(`${key.type} ${key.digest}`) ?? []);
    return { ...value, known: found.slice(0, MAX_KNOWN).map(toThreatIndicator) };
  });
}

function readValue({ type: stated, value: text }: Value): ReadValue {
  const written = refang(text.trim());
  const type = stated ?? typeOfValue(written) ?? null;
  if (type === null) return { type, value: null, problem: UNRECOGNIZED_TYPE };
  try {
    const value = toCanonicalValue(type, written);
    return { type, value, problem: null, key: keyOfCanonical(type, value) };
  } catch (error) {
    if (!(error instanceof IndicatorFormError)) throw error;
    return { type, value: null, problem: error.message };
  }
}
