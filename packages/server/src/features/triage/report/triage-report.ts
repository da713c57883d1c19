import { countOf } from '@tps/contract/vocabulary';
import type { Steps } from '../../../platform/concurrency/fair-turns.ts';
import { BANDS } from '../scoring/score-weights.ts';
import type { Recommendation, RecommendationBasis } from '../triage-results.ts';
import { VERDICT_WORDS } from '../verdict-words.ts';
import { toSubject } from '../wording.ts';
import { affectedDevices, whatHappened } from './case-sections.ts';
import { MAX_BYTES } from './documents.ts';
import { cutAtLine, id, ids, list, section, table, withIds } from './markdown.ts';
import { timelineSection } from './timeline-section.ts';

const MAX_CITED = 200;

/** Writes the report, a section per step: first the decision to make, then the reasons, then the details to verify them. */
export function* writeReport(recommendation: Recommendation, basis: RecommendationBasis): Steps<string> {
  const writers = [
    () => head(recommendation, basis),
    () => decision(recommendation),
    () => whatHappened(basis),
    () => reasonsFor(basis),
    () => reasonsAgainst(basis),
    () => affectedDevices(basis),
    () => timelineSection(basis),
    () => guardrails(basis),
    () => nextSteps(recommendation),
    () => questions(recommendation),
    () => cited(recommendation, basis),
    () => method(recommendation),
  ];
  const sections: string[] = [];
  for (const write of writers) {
    sections.push(write());
    yield;
  }
  return cutAtLine(`${sections.filter((text) => text !== '').join('\n\n')}\n`, MAX_BYTES);
}

function head(
  { verdict, score, proposals, actions }: Recommendation,
  { file, guardrails }: RecommendationBasis,
): string {
  const words = VERDICT_WORDS[verdict];
  const subjects = [
    ...file.incidents.map(({ category }) => toSubject(category)),
    ...(file.incidents.length > 0 ? [] : file.events.map(({ category }) => toSubject(category))),
  ];
  const unique = [...new Set(subjects)];
  const subject = unique.length === 0 ? 'Scanned content' : unique.join(', ');
  const changes = proposals.flatMap(({ change }) => change ?? []);
  const moves = [...new Set(changes.map(({ status, resolution }) => describeChange(status, resolution)))];
  const proposed =
    moves.length > 0
      ? moves.join('; ')
      : proposals.length > 0
        ? 'no change'
        : 'none, because the inputs belong to no incident';
  const flagged = guardrails.checks.filter(({ result }) => result !== 'passed').map(({ code }) => code);
  const [first] = actions;
  const rails = flagged.length === 0 ? 'all passed' : `${guardrails.result}: ${flagged.join(', ')}`;
  return [
    `# ${subject}${describeDevices(file.devices)}: ${words.toLowerCase()}`,
    [
      `**Verdict:** ${words}${verdict === 'technical' ? '' : `, score ${score} of 100`}  `,
      `**Proposed:** ${proposed}  `,
      `**Guardrails:** ${rails}${first ? '  ' : ''}`,
      ...(first ? [`**First step:** ${capital(first.who)}: ${withIds(first.what)}`] : []),
    ].join('\n'),
  ].join('\n\n');
}

function describeDevices(devices: RecommendationBasis['file']['devices']): string {
  const [only] = devices;
  if (!only) return '';
  return devices.length === 1 ? ` on ${id(only.deviceId)}` : ` on ${countOf(devices.length, 'device')}`;
}

function describeChange(status: string, resolution: string | undefined): string {
  return resolution === undefined ? `move to ${status}` : `${status} as ${resolution}`;
}

function decision({ proposals }: Recommendation): string {
  if (proposals.length === 0)
    return section('Proposed decision', 'The inputs belong to no incident, so an approval changes nothing.');
  return section(
    'Proposed decision',
    table(
      ['Incident', 'Subject', 'Status', 'Proposed', 'Reason'],
      proposals.map(({ incident_id, category, now, change, why }) => [
        id(incident_id),
        toSubject(category),
        now.status,
        change ? `**${describeChange(change.status, change.resolution)}**` : 'no change',
        withIds(why),
      ]),
    ),
  );
}

function reasonsFor({ triageScore: { reasons, score, verdict } }: RecommendationBasis): string {
  if (verdict === 'technical' && reasons.length === 0) return '';
  return section(
    'Reasons for the score',
    table(
      ['Points', 'Reason', 'Evidence'],
      [
        ...reasons.map(({ points, sentence, refs }) => [signed(points), withIds(sentence), ids(refs, 5)]),
        [`**${score}**`, '**Score**', ''],
      ],
    ),
    `A case with ${BANDS.genuineFrom} points or more is likely genuine, with ${BANDS.falseUpTo} or fewer likely a false alarm, and otherwise unclear.`,
  );
}

function reasonsAgainst({ triageScore: { reasons, verdict }, evidence }: RecommendationBasis): string {
  const against = reasons.filter(({ points, code }) => points < 0 && code !== 'clamp');
  const contrary = verdict === 'likely_false' ? reasons.filter(({ points }) => points > 0) : against;
  const pairs = evidence.contradictions.map(
    ({ allowId, harmfulId }) => `${id(allowId)} allowed what ${id(harmfulId)} stopped.`,
  );
  const items = [...contrary.map(({ sentence }) => withIds(sentence)), ...pairs];
  return section('Reasons against the verdict', items.length === 0 ? 'None.' : list(items));
}

function guardrails({ guardrails: { checks } }: RecommendationBasis): string {
  return section(
    'Guardrails',
    table(
      ['Check', 'Result', 'Explanation', 'Evidence'],
      checks.map(({ code, result, sentence, refs }) => [
        code,
        result === 'passed' ? 'passed' : `**${result}**`,
        sentence,
        ids(refs, 5),
      ]),
    ),
  );
}

function nextSteps({ actions }: Recommendation): string {
  if (actions.length === 0) return section('Next steps', 'None.');
  return section(
    'Next steps',
    actions.map(({ order, who, what }) => `${order}. **${capital(who)}:** ${withIds(what)}`).join('\n'),
  );
}

function questions({ questions: open }: Recommendation): string {
  return open.length === 0 ? '' : section('Open questions', list(open.map(withIds)));
}

function cited({ evidence_ids, guidance_ids }: Recommendation, { file }: RecommendationBasis): string {
  const all = [...new Set([...file.inputRefs, ...evidence_ids])];
  return section(
    'Evidence and guidance',
    `Inputs: ${ids(file.inputRefs, MAX_CITED)}`,
    `Evidence cited: ${ids(all, MAX_CITED)}`,
    guidance_ids.length === 0
      ? undefined
      : `Guidance for the analyst and for the affected person: ${ids(guidance_ids, 20)}`,
  );
}

function method({ method: version }: Recommendation): string {
  return section(
    'Method',
    `${version}. The report is written without human judgement or a language model: the same stored facts produce the same report, byte for byte. Nothing after the last event of the case counts, with one exception: for an event that was corrected to allow, the triage checks whether the indicator is active elsewhere now. Some facts are read as stored when the report was written: policies, names and states of devices, states and resolutions of earlier incidents and campaigns, and corrections by other devices. Times are in UTC, from the clocks of the devices. Text in code marks is an id, or was written by a device or a person. Nothing changes before a person approves.`,
  );
}

function signed(points: number): string {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0';
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
