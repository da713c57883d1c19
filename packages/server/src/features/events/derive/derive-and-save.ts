import type { Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { alertStore } from '../../alerts/index.ts';
import type { Decision } from '../../feed/index.ts';
import { incidentStore } from '../../incidents/index.ts';
import { threatStore } from '../../threats/index.ts';
import type { DerivationSettings } from './derivation-settings.ts';
import type { Changes } from './derivation-state.ts';
import { derive, type Placement } from './derive.ts';
import { deriveCorrection } from './derive-correction.ts';
import { loadContext, loadReplaced } from './load-context.ts';

/** A new event, and the root event that it corrects if it does. */
export interface DerivableEvent {
  readonly decision: Decision;
  readonly prepared: { readonly event: { readonly corrects_event_id?: string } };
}

/**
 * Derives a run of new events of one tenant inside their transaction: reads what they may touch, derives, writes what
 * changed. A run is either one correction or any number of other events. Gives the placement of each.
 */
export async function deriveAndSave(
  tx: Queries,
  tenantId: TenantId,
  { segment, settings }: { segment: readonly DerivableEvent[]; settings: DerivationSettings },
): Promise<Placement[]> {
  const decisions = segment.map((event) => event.decision);
  const rootId = segment[0]?.prepared.event.corrects_event_id;
  const [correction] = decisions;
  if (rootId !== undefined && correction !== undefined) {
    const replaced = await loadReplaced(tx, tenantId, rootId);
    const concerned = [correction, replaced.effective];
    const context = await loadContext(tx, tenantId, { decisions: concerned, settings });
    const { changes, placement } = deriveCorrection(correction, replaced, { context, settings });
    await save(tx, tenantId, changes);
    return [placement];
  }
  const context = await loadContext(tx, tenantId, { decisions, settings });
  const { changes, placements } = derive(decisions, context, settings);
  await save(tx, tenantId, changes);
  return placements;
}

async function save(tx: Queries, tenantId: TenantId, changes: Changes): Promise<void> {
  await threatStore.saveMany(tx, tenantId, changes.threats);
  await threatStore.saveSightings(tx, tenantId, changes.sightings);
  await alertStore.saveMany(tx, tenantId, changes.alerts);
  await incidentStore.saveMany(tx, tenantId, changes.incidents);
  await incidentStore.addMembers(tx, tenantId, changes.members);
  await incidentStore.addTimeline(tx, tenantId, changes.timeline);
}
