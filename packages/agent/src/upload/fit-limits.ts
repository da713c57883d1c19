import type { EventMetadata } from '@tps/contract';
import { METADATA_LIMIT_BYTES } from '@tps/contract/vocabulary';
import { jsonBytes } from '../encoding/bytes.ts';
import type { LocalEvent } from '../store/event-store.ts';

const DESCRIPTION_LIMIT = 4096;
const REASON_LIMIT = 1024;
const INDICATOR_LIMIT = 512;
/** Members of metadata whose length the contract limits. Redaction can lengthen these too: a version may be a link. */
const METADATA_MEMBERS = { agent_version: 64, model_version: 64, tenant_id: 68 } as const;
/** Room for `redaction_cut`, which marks that other members were left out. */
const MARK_BYTES = 32;

/**
 * Shortens what redaction has made longer than the contract allows: a short link becomes a hash of 75 characters. The
 * local store keeps the full text. Does not change its argument.
 */
export function fitLimits(event: LocalEvent): LocalEvent {
  const { description, correction_reason, indicators, metadata } = event;
  return {
    ...event,
    ...(description === undefined ? {} : { description: cut(description, DESCRIPTION_LIMIT) }),
    ...(correction_reason === undefined ? {} : { correction_reason: cut(correction_reason, REASON_LIMIT) }),
    ...(indicators === undefined ? {} : { indicators: indicators.map((text) => cut(text, INDICATOR_LIMIT)) }),
    ...(metadata === undefined ? {} : { metadata: dropExcess(cutMembers(metadata)) }),
  };
}

/** Cuts at a space if one is near the end, so that no half placeholder remains. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = [...text];
  if (characters.length <= limit) return text;
  const kept = characters.slice(0, limit - 1).join('');
  const space = kept.lastIndexOf(' ');
  return `${space > limit / 2 ? kept.slice(0, space) : kept}…`;
}

function cutMembers(metadata: EventMetadata): EventMetadata {
  const shortened = Object.entries(METADATA_MEMBERS).flatMap(([name, limit]) => {
    const value = metadata[name as keyof typeof METADATA_MEMBERS];
    return value === undefined ? [] : [[name, cut(value, limit)]];
  });
  return { ...metadata, ...Object.fromEntries(shortened) };
}

/** Leaves out members that no longer fit. The agent's own come first, so the detector's go first. */
function dropExcess(metadata: EventMetadata): EventMetadata {
  if (jsonBytes(metadata) <= METADATA_LIMIT_BYTES) return metadata;
  let room = METADATA_LIMIT_BYTES - MARK_BYTES;
  const kept = Object.entries(metadata).filter(([key, value]) => {
    const size = jsonBytes({ [key]: value });
    if (size > room) return false;
    room -= size;
    return true;
  });
  return Object.fromEntries([...kept, ['redaction_cut', true]]);
}
