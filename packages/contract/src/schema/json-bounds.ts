import type { TSchema } from 'typebox';
import { METADATA_LIMIT_BYTES } from './vocabulary.ts';

/** A character outside the basic plane, written as two escapes: `\ud83d\ude00`. */
const MAX_BYTES_PER_CHARACTER = 12;
/** A number, a time, `false` or the value of an enumeration. */
const MAX_BYTES_OF_SCALAR = 64;
/** An open object, which is bounded by its size: two bytes hold a value (`[1,1,1`), and each may be an escape. */
const OPEN_OBJECT: JsonBounds = {
  structure: METADATA_LIMIT_BYTES,
  bytes: 6 * METADATA_LIMIT_BYTES,
  text: 6 * METADATA_LIMIT_BYTES,
};
const NOTHING: JsonBounds = { structure: 0, bytes: 0, text: 0 };

/** The most that JSON matching a schema can contain. */
export interface JsonBounds {
  /** Commas, colons and opening brackets outside strings. */
  readonly structure: number;
  /** Bytes without white space, with every character escaped. */
  readonly bytes: number;
  /** Bytes of the longest string. */
  readonly text: number;
}

interface SchemaNode {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean;
  readonly items?: SchemaNode;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly format?: string;
}

/** Computes what JSON that matches a schema can contain. Infinite where a string or an array has no bound. */
export function jsonBoundsOf(schema: TSchema): JsonBounds {
  return boundsOf(schema as SchemaNode);
}

function boundsOf(node: SchemaNode): JsonBounds {
  if (node.anyOf) return node.anyOf.map(boundsOf).reduce(greater);
  if (node.type === 'object') return ofObject(node);
  if (node.type === 'array') return ofArray(node);
  if (node.type !== 'string' || node.enum) return { ...NOTHING, bytes: MAX_BYTES_OF_SCALAR };
  const text = 2 + (node.maxLength ?? Infinity) * MAX_BYTES_PER_CHARACTER;
  return { structure: 0, bytes: text, text };
}

function ofArray({ items = {}, maxItems = Infinity }: SchemaNode): JsonBounds {
  const { structure, bytes, text } = boundsOf(items);
  return { structure: 1 + maxItems * (1 + structure), bytes: 2 + maxItems * (1 + bytes), text };
}

function ofObject({ properties = {}, additionalProperties }: SchemaNode): JsonBounds {
  const open = additionalProperties === false ? NOTHING : OPEN_OBJECT;
  return Object.entries(properties).reduce(
    (sum, [name, property]) => {
      const { structure, bytes, text } = boundsOf(property);
      return {
        structure: sum.structure + 2 + structure,
        bytes: sum.bytes + 4 + name.length + bytes,
        text: Math.max(sum.text, text),
      };
    },
    { structure: 1 + open.structure, bytes: 2 + open.bytes, text: open.text },
  );
}

function greater(one: JsonBounds, other: JsonBounds): JsonBounds {
  return {
    structure: Math.max(one.structure, other.structure),
    bytes: Math.max(one.bytes, other.bytes),
    text: Math.max(one.text, other.text),
  };
}
