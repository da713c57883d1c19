import { BANDS } from '../scoring/score-weights.ts';
import type { Recommendation, RecommendationBasis } from '../triage-results.ts';
import { VERDICT_WORDS } from '../verdict-words.ts';
import { subjectWords } from '../wording.ts';
import { affected, whatHappened } from './case-sections.ts';
import { MAX_BYTES } from './documents.ts';
import { cutAtLine, id, ids, list, section, table, withIds } from './markdown.ts';
import { timelineSection } from './timeline-section.ts';

const MAX_CITED = 200;

/** Writes the report: what to decide first, then why, then what a reader needs to check it. */
export function writeReport(recommendation: Recommendation, basis: RecommendationBasis): string {
  const sections = [
    head(recommendation, basis),
    decision(recommendation),
    whatHappened(basis),
    reasonsFor(basis),
    reasonsAgainst(basis),
    affected(basis),
    timelineSection(basis),
    guardrails(basis),
    nextSteps(recommendation),
    questions(recommendation),
    cited(recommendation, basis),
    method(recommendation),
  ];
  return cutAtLine(`${sections.filter((text) => text !== '').join('\n\n')}\n`, MAX_BYTES);
}

function head(
  { verdict, score, proposals, actions }: Recommendation,
  { file, guardrails }: RecommendationBasis,
): string {
  const words = VERDICT_WORDS[verdict];
  const subjects = [
    ...file.incidents.map(({ category }) => subjectWords(category)),
    ...(file.incidents.length > 0 ? [] : file.events.map(({ category }) => subjectWords(category))),
  ];
  const unique = [...new Set(subjects)];
  const subject = unique.length === 0 ? 'Scanned content' : unique.join(', ');
  const changes = proposals.flatMap(({ change }) => change ?? []);
  const moves = [...new Set(changes.map(({ status, resolution }) => moveWords(status, resolution)))];
  const proposed =
    moves.length > 0
      ? moves.join('; ')
      : proposals.length > 0
        ? 'leave as it is'
        : 'nothing: no incident belongs to it';
  const flagged = guardrails.checks.filter(({ result }) => result !== 'passed').map(({ code }) => code);
  const [first] = actions;
  const rails = flagged.length === 0 ? 'all passed' : `${guardrails.result}: ${flagged.join(', ')}`;
  return [
    `# ${subject}${placeWords(file.devices)}: ${words.toLowerCase()}`,
    [
      `**Verdict:** ${words}${verdict === 'technical' ? '' : `, score ${score} of 100`}  `,
      `**Proposed:** ${proposed}  `,
      `**Guardrails:** ${rails}${first ? '  ' : ''}`,
      ...(first ? [`**First step:** ${capital(first.who)}: ${withIds(first.what)}`] : []),
    ].join('\n'),
  ].join('\n\n');
}

function placeWords(devices: RecommendationBasis['file']['devices']): string {
  const [only] = devices;
  if (!only) return '';
  return devices.length === 1 ? ` on ${id(only.deviceId)}` : ` on ${devices.length} devices`;
}

function moveWords(status: string, resolution: string | undefined): string {
  return resolution === undefined ? `move to ${status}` : `${status} as ${resolution}`;
}

function decision({ proposals }: Recommendation): string {
  if (proposals.length === 0)
    return section(
      'Proposed decision',
      'No incident belongs to what was named, so an approval changes nothing. Read on for what was found.',
    );
  return section(
    'Proposed decision',
    table(
      ['Incident', 'About', 'Now', 'Proposed', 'Why'],
      proposals.map(({ incident_id, category, now, change, why }) => [
        id(incident_id),
        subjectWords(category),
        now.status,
        change ? `**${moveWords(change.status, change.resolution)}**` : 'no change',
        withIds(why),
      ]),
    ),
  );
}

function reasonsFor({ triageScore: { reasons, score, verdict } }: RecommendationBasis): string {
  if (verdict === 'technical' && reasons.length === 0) return '';
  return section(
    'Why we think so',
    table(
      ['Points', 'Reason', 'Rests on'],
      [
        ...reasons.map(({ points, sentence, refs }) => [signed(points), withIds(sentence), ids(refs, 5)]),
        [`**${score}**`, '**Score**', ''],
      ],
    ),
    `From ${BANDS.genuineFrom} on a case is likely genuine, up to ${BANDS.falseUpTo} likely a false alarm, and unclear between.`,
  );
}

function reasonsAgainst({ triageScore: { reasons, verdict }, evidence }: RecommendationBasis): string {
  const against = reasons.filter(({ points, code }) => points < 0 && code !== 'clamp');
  const contrary = verdict === 'likely_false' ? reasons.filter(({ points }) => points > 0) : against;
  const pairs = evidence.contradictions.map(
    ({ allowId, harmfulId }) => `${id(allowId)} let through what ${id(harmfulId)} stopped.`,
  );
  const items = [...contrary.map(({ sentence }) => withIds(sentence)), ...pairs];
  return section('What speaks against it', items.length === 0 ? 'Nothing was found.' : list(items));
}

function guardrails({ guardrails: { checks } }: RecommendationBasis): string {
  return section(
    'Guardrails',
    table(
      ['Check', 'Result', 'Finding', 'Where'],
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
  if (actions.length === 0) return section('What to do next', 'Nothing more.');
  return section(
    'What to do next',
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
    `Triaged: ${ids(file.inputRefs, MAX_CITED)}`,
    `Evidence cited: ${ids(all, MAX_CITED)}`,
    guidance_ids.length === 0
      ? undefined
      : `Guidance, for the analyst and to send to the person: ${ids(guidance_ids, 20)}`,
  );
}

function method({ method: version }: Recommendation): string {
  return section(
    'Method',
    `Written by ${version}, without any judgement of a person or a language model: the same stored facts give the same report, byte for byte. What came after the last event of the case does not count, but for what was corrected to allow: whether that stands elsewhere is asked of the present. As stored when it was written: policies, names and states of devices, states and resolutions of earlier incidents and campaigns, what other devices have taken back. Times are UTC and the devices' own. What stands in code marks was written by a device or is an id. Nothing happens before a person approves.`,
  );
}

function signed(points: number): string {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0';
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
