import type { IndicatorImportResult, NewIndicator } from '@tps/client';
import type { Indicator } from '@tps/detection/indicators';

/** Maximum number of indicators in one request. */
const MAX_AT_ONCE = 1000;
/** Well below the body limit of the service, also with long addresses. */
const MAX_CHARACTERS_AT_ONCE = 1_000_000;

export type ImportTotals = Pick<IndicatorImportResult, 'added' | 'updated' | 'unchanged' | 'removed'> & {
  /** Number of indicators of the source at the end. */
  readonly indicators: number;
};

type Part = { import_id?: string; replace?: boolean; indicators: NewIndicator[] };

/**
 * Sends indicators in several requests. With `replace` the last request removes the other indicators of the source, so an
 * interrupted import removes nothing.
 */
export async function sendIndicators(
  indicators: readonly Indicator[],
  {
    send,
    wait,
    replace,
    onProgress,
  }: {
    send: (part: Part) => Promise<IndicatorImportResult>;
    /** Waits before the next request of a series of this length. */
    wait: (requests: number) => Promise<void>;
    replace: boolean;
    onProgress: (sent: number) => void;
  },
): Promise<ImportTotals> {
  let importId: string | undefined;
  let sent = 0;
  let totals: ImportTotals = { added: 0, updated: 0, unchanged: 0, removed: 0, indicators: 0 };
  const requests = Math.ceil(indicators.length / MAX_AT_ONCE);
  for (const some of inParts(indicators.map(toNewIndicator))) {
    if (sent > 0) await wait(requests);
    const isLast = sent + some.length === indicators.length;
    const answer = await send({
      ...(importId === undefined ? {} : { import_id: importId }),
      ...(replace && isLast ? { replace } : {}),
      indicators: some,
    });
    importId = answer.import_id;
    sent += some.length;
    totals = {
      added: totals.added + answer.added,
      updated: totals.updated + answer.updated,
      unchanged: totals.unchanged + answer.unchanged,
      removed: totals.removed + answer.removed,
      indicators: answer.indicators,
    };
    onProgress(sent);
  }
  return totals;
}

/** Converts an indicator to the API's format. */
export function toNewIndicator(indicator: Indicator): NewIndicator {
  const { type, value, category, threatType, confidence, label, dualUse } = indicator;
  const { validFromMs, validUntilMs } = indicator;
  return {
    type,
    value,
    category,
    threat_type: threatType,
    confidence,
    ...(label === undefined ? {} : { label }),
    ...(dualUse ? { dual_use: true } : {}),
    ...(validFromMs === undefined ? {} : { valid_from: new Date(validFromMs).toISOString() }),
    ...(validUntilMs === undefined ? {} : { valid_until: new Date(validUntilMs).toISOString() }),
  };
}

function* inParts(indicators: readonly NewIndicator[]): Generator<NewIndicator[]> {
  let part: NewIndicator[] = [];
  let characters = 0;
  for (const indicator of indicators) {
    const length = JSON.stringify(indicator).length;
    if (part.length === MAX_AT_ONCE || characters + length > MAX_CHARACTERS_AT_ONCE) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(indicator);
    characters += length;
  }
  if (part.length > 0) yield part;
}
