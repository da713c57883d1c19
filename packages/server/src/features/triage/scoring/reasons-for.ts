import { isAtLeast } from '../../feed/index.ts';
import { isHarmful, type Observation, toObservations } from '../case/case-event.ts';
import type { CaseScan } from '../case/case-file.ts';
import type { ClassificationBasis, Reason } from '../triage-results.ts';
import { count, percent } from '../wording.ts';
import { WEIGHTS } from './score-weights.ts';

const MAX_REFS = 10;

/** Returns the reasons to assume a genuine threat. */
export function reasonsFor(basis: ClassificationBasis): Reason[] {
  const harmful = toObservations(basis.file.events).filter(isHarmful);
  return [
    ...decisionReasons(harmful),
    ...recurrence(basis),
    ...spread(basis),
    ...campaign(basis),
    ...earlierTrue(basis),
    ...indicators(harmful),
    ...scans(basis),
  ];
}

function decisionReasons(harmful: readonly Observation[]): Reason[] {
  const [first] = harmful;
  if (!first) return [];
  const blocked = harmful.filter(({ current }) => current.action === 'block');
  const mostConfident = harmful.reduce(
    (a, b) => (b.current.confidence > a.current.confidence ? b : a),
    first,
  );
  const mostSevere = harmful.reduce(
    (a, b) => (isAtLeast(a.current.severity, b.current.severity) ? a : b),
    first,
  );
  const { confidence, severity } = { ...mostSevere.current, confidence: mostConfident.current.confidence };
  const decided = blocked.length > 0 ? 'blocked' : 'warned';
  return [
    {
      code: 'decision',
      points: WEIGHTS.decision[decided],
      sentence:
        blocked.length === harmful.length
          ? `A policy blocked it ${count(harmful.length, 'time')}.`
          : `A policy acted on it ${count(harmful.length, 'time')}: ${blocked.length} blocked, ${harmful.length - blocked.length} only warned.`,
      refs: refsOf(harmful),
    },
    {
      code: 'confidence',
      points: Math.round(WEIGHTS.confidence * confidence),
      sentence: `The highest confidence of an event is ${percent(confidence)}.`,
      refs: [mostConfident.current.eventId],
    },
    {
      code: 'severity',
      points: WEIGHTS.severity[severity],
      sentence: `The highest severity of an event is ${severity}.`,
      refs: [mostSevere.current.eventId],
    },
  ];
}

function recurrence({ correlation, file, evidence }: ClassificationBasis): Reason[] {
  const total = correlation.harmful + correlation.related;
  if (total < 2 || correlation.harmful === 0) return [];
  const { twice, several, many } = WEIGHTS.recurrence;
  const related = evidence.histories.flatMap((history) => history.related.map(({ eventId }) => eventId));
  const before = correlation.related === 0 ? '' : `, ${correlation.related} of them before this case`;
  return [
    {
      code: 'recurrence',
      points: total >= 10 ? many : total >= 4 ? several : twice,
      sentence: `It occurred ${count(total, 'time')} within a week${before}; at most ${correlation.burst} within 15 minutes.`,
      refs: (related.length > 0 ? related : file.events.map(({ eventId }) => eventId)).slice(0, MAX_REFS),
    },
  ];
}

/** Counts other devices even if the devices of the case have withdrawn their events. */
function spread({ correlation, evidence, file }: ClassificationBasis): Reason[] {
  const devices = correlation.devices + correlation.otherDevices;
  if (devices < 2 || !sharesIndicator({ correlation, evidence, file })) return [];
  const { two, several, many } = WEIGHTS.spread;
  return [
    {
      code: 'spread',
      points: devices >= 6 ? many : devices >= 3 ? several : two,
      sentence: `The same indicators were seen on ${devices} devices of this tenant, ${correlation.otherDevices} of them outside this case.`,
      refs: [
        ...evidence.others.map(({ deviceId }) => deviceId),
        ...file.devices.map(({ deviceId }) => deviceId),
      ].slice(0, MAX_REFS),
    },
  ];
}

/** Several devices in one case are not evidence by themselves, because an analyst may have named unrelated inputs. */
function sharesIndicator({ file, evidence }: ClassificationBasis): boolean {
  if (evidence.otherCount > 0) return true;
  const devicesOf = new Map<string, string>();
  return toObservations(file.events)
    .filter(isHarmful)
    .some(({ current }) =>
      current.keys.some((key) => {
        const other = devicesOf.get(key);
        devicesOf.set(key, current.deviceId);
        return other !== undefined && other !== current.deviceId;
      }),
    );
}

function campaign({ correlation, file }: ClassificationBasis): Reason[] {
  const own = new Set(file.incidents.map(({ incidentId }) => incidentId));
  const running = correlation.campaigns.filter(
    ({ sharesIndicator, resolution }) => sharesIndicator && resolution !== 'false_positive',
  );
  if (running.length === 0) return [];
  const devices = Math.max(...running.map((each) => each.devices));
  const isOwn = running.every(({ incidentId }) => own.has(incidentId));
  return [
    {
      code: 'campaign',
      points: WEIGHTS.campaign,
      sentence: `This case is ${isOwn ? '' : 'part of '}a campaign: the same indicator on ${count(devices, 'device')} within the campaign window.`,
      refs: running.map(({ incidentId }) => incidentId).slice(0, MAX_REFS),
    },
  ];
}

function earlierTrue({ evidence, file }: ClassificationBasis): Reason[] {
  const categories = new Set<string>(file.events.map((event) => event.category));
  const genuine = evidence.earlier.filter(
    ({ resolution, category }) => resolution === 'true_positive' && categories.has(category),
  );
  if (genuine.length === 0) return [];
  const { one, several } = WEIGHTS.earlierTrue;
  return [
    {
      code: 'earlier_true',
      points: genuine.length === 1 ? one : several,
      sentence: `${count(genuine.length, 'earlier incident')} of the same kind on ${genuine.length === 1 ? 'this device' : 'these devices'} ${genuine.length === 1 ? 'was' : 'were'} genuine.`,
      refs: genuine.map(({ incidentId }) => incidentId).slice(0, MAX_REFS),
    },
  ];
}

function indicators(harmful: readonly Observation[]): Reason[] {
  if (harmful.length === 0) return [];
  const named = harmful.filter(({ current }) => current.keys.length > 0);
  if (named.length === 0) {
    const sentence = 'No event names an indicator, so nothing can be looked up or compared.';
    return [{ code: 'indicators', points: WEIGHTS.indicators.none, sentence, refs: refsOf(harmful) }];
  }
  const keys = new Set(named.flatMap(({ current }) => current.keys)).size;
  const sentence = `The events name ${count(keys, 'indicator')} that can be checked.`;
  return [{ code: 'indicators', points: WEIGHTS.indicators.named, sentence, refs: refsOf(named) }];
}

const STRENGTH = { allow: 0, warn: 1, block: 2 } as const;

/** Only the strongest scan counts, and only once: repeated scans of one page add no evidence. */
function scans({ file }: ClassificationBasis): Reason[] {
  const own = new Set(file.threats.map(({ threatId }) => threatId));
  const completed = file.scans.filter(({ status }) => status === 'completed');
  const strongest = Math.max(0, ...completed.map(({ verdict }) => STRENGTH[verdict]));
  const repeats = ({ knownThreatIds }: CaseScan) => knownThreatIds?.every((threatId) => own.has(threatId));
  const counted = completed.find((scan) => STRENGTH[scan.verdict] === strongest && !repeats(scan));
  return file.scans.map((scan) => {
    const result = `A scan of submitted content returned ${scan.verdict} with a confidence of ${percent(scan.confidence)}`;
    const isCounted = scan === counted;
    const why = repeats(scan)
      ? 'but only because of threats of this case, which are scored already'
      : 'but only the strongest scan counts, and only once';
    return {
      code: `scan_${scan.scanId}`,
      points: isCounted ? WEIGHTS.scan[scan.verdict] : 0,
      sentence:
        scan.status !== 'completed'
          ? 'A scan could not classify the submitted content, which does not mean that it is harmless.'
          : isCounted
            ? `${result}.`
            : `${result}, ${why}.`,
      refs: [scan.scanId],
    };
  });
}

export function refsOf(observations: readonly Observation[]): string[] {
  return observations.map(({ current }) => current.eventId).slice(0, MAX_REFS);
}
