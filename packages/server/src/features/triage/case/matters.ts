import type { CaseFile, CaseIncident } from './case-file.ts';
import { observationsByIncident } from './incident-events.ts';

/** Ids of incidents that belong together. */
type Matter = readonly string[];

/**
 * Groups the incidents of a case: those that share an indicator, or have the same category on the same device, are one
 * matter. Technical incidents of devices that another incident concerns are left out. The keys of an event are read once,
 * however many incidents it belongs to: reading them for each of 50 incidents took a quarter of a second.
 */
export function mattersOf(file: CaseFile): Matter[] {
  const observationsOf = observationsByIncident(file);
  const linksOfSeen = new Set<string>();
  const matters = new LinkedMatters();
  for (const incident of file.incidents.filter((each) => !accompaniesOther(each, file.incidents))) {
    const { incidentId, category, deviceIds, correlationKey } = incident;
    const links = new Set([
      ...deviceIds.map((deviceId) => `${category} ${deviceId}`),
      category === 'campaign' ? correlationKey : `incident ${incidentId}`,
    ]);
    for (const { root, current } of observationsOf(incident).observations) {
      const keys = [...root.keys, ...current.keys];
      if (keys.length === 0) continue;
      const event = `event ${root.eventId}`;
      links.add(event);
      if (linksOfSeen.has(event)) continue;
      linksOfSeen.add(event);
      for (const key of keys) links.add(key);
    }
    matters.add(incidentId, links);
  }
  return matters.list();
}

/** Technical incidents do not depend on the score, so one next to another incident of its devices is not a separate case. */
function accompaniesOther(incident: CaseIncident, all: readonly CaseIncident[]): boolean {
  if (!isTechnical(incident)) return false;
  return all.some(
    (other) =>
      !isTechnical(other) && other.deviceIds.some((deviceId) => incident.deviceIds.includes(deviceId)),
  );
}

export function isTechnical({ category }: CaseIncident): boolean {
  return category === 'device_integrity' || category === 'monitoring';
}

/** Matters that are joined when an incident has links of several. */
class LinkedMatters {
  #matters: Matter[] = [];
  readonly #byLink = new Map<string, Matter>();
  /** What a matter that was joined with others became. */
  readonly #joined = new Map<Matter, Matter>();

  add(incidentId: string, links: ReadonlySet<string>): void {
    const linked = new Set([...links].flatMap((link) => this.#find(link) ?? []));
    const parts = this.#matters.filter((matter) => linked.has(matter));
    const whole = [...parts.flat(), incidentId];
    this.#matters = [...this.#matters.filter((matter) => !linked.has(matter)), whole];
    for (const part of parts) this.#joined.set(part, whole);
    for (const link of links) this.#byLink.set(link, whole);
  }

  list(): Matter[] {
    return this.#matters;
  }

  #find(link: string): readonly [Matter] | undefined {
    let matter = this.#byLink.get(link);
    if (matter === undefined) return undefined;
    for (let next = this.#joined.get(matter); next; next = this.#joined.get(matter)) matter = next;
    return [matter];
  }
}
