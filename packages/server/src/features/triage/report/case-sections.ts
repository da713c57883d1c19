import { isHarmful, isWithdrawn, type Observation, toObservations } from '../case/case-event.ts';
import type { CaseDevice } from '../case/case-file.ts';
import { isAgentDefault, type PolicyEvidence } from '../case/evidence.ts';
import { groupBy } from '../case/order.ts';
import type { RecommendationBasis } from '../triage-results.ts';
import { count, percent, toSubject } from '../wording.ts';
import { id, list, quoted, section, table, time, withIds } from './markdown.ts';
import { describeOutcome } from './timeline.ts';

const MAX_DEVICES = 20;
const MAX_QUOTES = 3;
const MAX_INDICATORS = 5;

/** Describes the events and the known context of the case. */
export function whatHappened(basis: RecommendationBasis): string {
  const { file, correlation } = basis;
  const observations = toObservations(file.events);
  const groups = groupBy(observations, ({ root }) => root.category);
  const items = [
    ...[...groups].map(([, group]) => describeCategory(group)),
    ...file.incidents
      .filter(({ category }) => category === 'monitoring' || category === 'device_integrity')
      .map(({ incidentId, message }) => `${id(incidentId)} reports: ${quoteMessage(message)}`),
    ...describeTexts(observations),
    ...describeIndicators(observations),
    ...describeContext(basis),
    ...file.scans.map(
      (scan) =>
        `The scan ${id(scan.scanId)} of submitted content returned **${scan.status === 'completed' ? scan.verdict : 'no verdict'}**: ${quoted(scan.details)}`,
    ),
  ];
  const pace =
    correlation.harmful + correlation.related < 5
      ? []
      : [
          `On average ${correlation.perHour} warnings and blocks per hour since ${time(correlation.firstSeenMs ?? 0)}; at most ${correlation.burst} within 15 minutes.`,
        ];
  return section('What happened', list([...items, ...pace]));
}

function describeCategory(group: readonly Observation[]): string {
  const [first] = group;
  if (!first) return '';
  const last = group.at(-1) ?? first;
  const harmful = group.filter(isHarmful);
  const withdrawn = group.filter(isWithdrawn).length;
  const of = (action: string) => harmful.filter(({ current }) => current.action === action).length;
  const devices = new Set(group.map(({ root }) => root.deviceId)).size;
  const span =
    first.root.atMs === last.root.atMs
      ? `At ${time(first.root.atMs)} UTC`
      : `From ${time(first.root.atMs)} to ${time(last.root.atMs)} UTC`;
  const parts = [
    ...(of('block') > 0 ? [`${of('block')} blocked`] : []),
    ...(of('warn') > 0 ? [`${of('warn')} only warned`] : []),
    ...(withdrawn > 0 ? [`${withdrawn} corrected to allow`] : []),
    ...(group.length > harmful.length + withdrawn
      ? [`${group.length - harmful.length - withdrawn} allowed`]
      : []),
  ];
  const highest = Math.max(...group.map(({ current }) => current.confidence));
  return `${span}, ${count(devices, 'device')} reported ${toSubject(first.root.category).toLowerCase()} ${count(group.length, 'time')}: ${parts.join(', ')}; highest confidence ${percent(highest)}.`;
}

function describeTexts(observations: readonly Observation[]): string[] {
  const said = observations.flatMap(({ current }) =>
    current.description === null ? [] : [current.description],
  );
  const reasons = observations.flatMap(({ current }) =>
    current.correctionReason === null ? [] : [current.correctionReason],
  );
  const unique = [...new Set(said)];
  return [
    ...(unique.length > 0
      ? [
          `${unique.length === 1 ? 'Description' : 'Descriptions'} by the devices: ${unique.slice(0, MAX_QUOTES).map(quoted).join(' · ')}${unique.length > MAX_QUOTES ? ` and ${unique.length - MAX_QUOTES} more` : ''}`,
        ]
      : []),
    ...(reasons.length > 0
      ? [`Reason for the correction: ${[...new Set(reasons)].slice(0, MAX_QUOTES).map(quoted).join(' · ')}`]
      : []),
  ];
}

function describeIndicators(observations: readonly Observation[]): string[] {
  const shown = [...new Set(observations.flatMap(({ current }) => current.indicators))].sort();
  if (shown.length === 0) return [];
  const total = new Set(observations.flatMap(({ current }) => current.keys)).size;
  const more = Math.max(0, total - MAX_INDICATORS);
  return [
    `Indicators: ${shown.slice(0, MAX_INDICATORS).map(quoted).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  ];
}

function describeContext({ evidence, correlation, file }: RecommendationBasis): string[] {
  const own = new Set(file.incidents.map(({ incidentId }) => incidentId));
  const campaigns = correlation.campaigns.filter(({ incidentId }) => !own.has(incidentId));
  return [
    ...(evidence.otherCount > 0
      ? [
          `The same indicators were seen on ${count(evidence.otherCount, 'other device')} of the tenant, last at ${time(Math.max(...evidence.others.map(({ lastSeenAtMs }) => lastSeenAtMs)))}: ${evidence.others
            .slice(0, 5)
            .map((other) => `${id(other.deviceId)}${describeOutcome(other)}`)
            .join(', ')}${evidence.otherCount > 5 ? ` and ${evidence.otherCount - 5} more` : ''}.`,
        ]
      : []),
    ...campaigns.map(
      ({ incidentId, devices, status, resolution, sharesIndicator }) =>
        `${sharesIndicator ? 'An indicator of this case' : 'Another indicator on these devices'} is part of the campaign ${id(incidentId)} on ${count(devices, 'device')} (${resolution ?? status}).`,
    ),
    ...(evidence.earlier.length > 0
      ? [
          `Earlier incidents of these devices: ${evidence.earlier
            .slice(0, 5)
            .map(
              ({ incidentId, category, resolution, status }) =>
                `${id(incidentId)} (${toSubject(category).toLowerCase()}, ${resolution ?? status})`,
            )
            .join(', ')}${evidence.earlier.length > 5 ? ` and ${evidence.earlier.length - 5} more` : ''}.`,
        ]
      : []),
    ...evidence.policies.map(describePolicy),
  ];
}

function describePolicy(policy: PolicyEvidence): string {
  const { policyId, current, falseIncidents } = policy;
  if (isAgentDefault(policy))
    return `Policy ${id(policyId)}: built into the agent, for categories that no policy of the tenant names.`;
  if (current === null) return `The service does not know the policy ${id(policyId)}.`;
  return `Policy ${id(policyId)} ${quoted(current.name)}, version ${current.version}: ${current.isArchived ? 'archived' : current.isEnabled ? `action ${current.action}` : 'disabled'}${current.threshold === null ? '' : `, threshold ${percent(current.threshold)}`}; ${falseIncidents.length === 0 ? 'no recent false alarms' : count(falseIncidents.length, 'recent false alarm')}.`;
}

/** Lists the devices, those with the most events first. */
export function affectedDevices({ file, evidence }: RecommendationBasis): string {
  if (file.devices.length === 0) return '';
  const events = groupBy(toObservations(file.events), ({ root }) => root.deviceId);
  const histories = new Map(evidence.histories.map((history) => [history.deviceId, history]));
  const ranked = [...file.devices].sort(
    (a, b) => (events.get(b.deviceId)?.length ?? 0) - (events.get(a.deviceId)?.length ?? 0),
  );
  const rows = ranked.slice(0, MAX_DEVICES).map((device) => {
    const history = histories.get(device.deviceId);
    const { allow = 0, warn = 0, block = 0 } = history?.counts ?? {};
    return [
      `${id(device.deviceId)}${device.name === null ? '' : ` ${quoted(device.name)}`}`,
      describeDevice(device),
      String(events.get(device.deviceId)?.length ?? 0),
      history
        ? `${block} blocked, ${warn} warned, ${allow} allowed${history.isCut ? ' (newest only)' : ''}`
        : 'not read',
      history ? describeChain(history.chain) : 'not read',
    ];
  });
  const more = file.devices.length - rows.length;
  return section(
    'Affected devices',
    table(['Device', 'Platform', 'Events in this case', 'Last 7 days', 'Event chain'], rows),
    more > 0 ? `${count(more, 'more device')} not listed.` : undefined,
  );
}

function describeDevice({ platform, agentVersion, status }: CaseDevice): string {
  const agent = agentVersion === null ? '' : `, agent ${quoted(agentVersion)}`;
  return `${platform}${agent}${status === 'active' ? '' : `, **${status}**`}`;
}

function describeChain(chain: Readonly<Record<string, number | undefined>>): string {
  const bad = ['fork', 'gap'].flatMap((state) => (chain[state] ? [`**${count(chain[state], state)}**`] : []));
  if (bad.length > 0) return bad.join(', ');
  if (chain.linked || chain.reset || chain.declared_gap) return 'intact';
  return 'no chain';
}

/** Marks the ids in a message of the service, and quotes the rest, which may contain text from other sources. */
function quoteMessage(message: string): string {
  return message
    .split(/(\b(?:inc|evt|dev|whk)_[A-Za-z0-9_-]{1,64})/)
    .map((part, index) => (index % 2 === 1 ? withIds(part) : part.trim() === '' ? '' : quoted(part)))
    .filter((part) => part !== '')
    .join(' ');
}
