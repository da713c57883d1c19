import { ServiceError } from '../service-error.ts';
import { cutItems, findMember } from './json-scan.ts';

/** A parsed body in which the items of one array are left as raw bytes. */
export interface ListMemberBody {
  /** The rest, parsed. The array has a `0` for each item. */
  readonly value: unknown;
  /** The bytes of each item: views into the body, not parsed. Undefined when there is no such array. */
  readonly rawItems: readonly Buffer[] | undefined;
}

/**
 * Parses a request body without the items of one top-level array: only the rest goes to `parse`. The body is valid JSON
 * if the rest and each item are.
 *
 * @throws ServiceError as `parse` does; `invalid_field` for more than `maxItems` items
 */
export function parseListMemberBody(
  body: Buffer,
  options: { member: string; maxItems: number; parse: (body: Buffer) => unknown },
): ListMemberBody {
  const { member, maxItems, parse } = options;
  const span = findMember(body, member);
  const list = span && cutItems(body, span, maxItems);
  if (!list) return parseWhole(body, options);
  const { items, inside } = list;
  if (items.length > maxItems) {
    throw new ServiceError('invalid_field', `${member} must NOT have more than ${maxItems} items`);
  }
  // Between the brackets is nothing, or what JSON does not allow there.
  if (items.length === 0) return { value: parse(body), rawItems: [] };
  const placeholders = Buffer.from(items.map(() => '0').join(','));
  const rest = Buffer.concat([body.subarray(0, inside.start), placeholders, body.subarray(inside.end)]);
  return { value: parse(rest), rawItems: items.map(({ start, end }) => body.subarray(start, end)) };
}

/** The member is missing or not an array, or its name is written with escapes. */
function parseWhole(
  body: Buffer,
  { member, parse }: { member: string; parse: (body: Buffer) => unknown },
): ListMemberBody {
  const value = parse(body);
  const { [member]: items } = Object(value) as Record<string, unknown>;
  const rawItems = Array.isArray(items) ? items.map((item) => Buffer.from(JSON.stringify(item))) : undefined;
  return { value, rawItems };
}
