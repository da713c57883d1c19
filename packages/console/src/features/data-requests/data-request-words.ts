import type { DataRequest } from '@tps/client';
import { toCount, toWords } from '../../kit/index.ts';

export function kindText({ kind }: Pick<DataRequest, 'kind'>): string {
  return toWords(kind);
}

/** The device or indicator of the request, which the service does not keep after a deletion. */
export function subjectText({ subject, subject_type: type }: DataRequest): string {
  if (subject !== null) return subject;
  return type === 'device_id' ? 'Device (ID not kept)' : 'Indicator (not kept)';
}

const RECORD = { one: 'record', many: 'records' };

export function totalText({ records }: Pick<DataRequest, 'records'>): string {
  return toCount(
    records.reduce((sum, { count }) => sum + count, 0),
    RECORD,
  );
}
