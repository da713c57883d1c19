import type { TSchema } from 'typebox';

/** A JSON object under construction. */
export type Json = { [member: string]: unknown };

/**
 * Copies a schema to plain JSON Schema 2020-12. Each inner schema with an `$id` is replaced by what `named` returns for
 * it; without `named` it stays inline. The copy contains no `$id`.
 */
export function toPlainSchema(schema: TSchema, named?: (name: string, schema: TSchema) => Json): Json {
  const copy = (node: unknown, isRoot: boolean): unknown => {
    if (Array.isArray(node)) return node.map((item) => copy(item, false));
    if (node === null || typeof node !== 'object') return node;
    const id = (node as { $id?: unknown }).$id;
    if (named && !isRoot && typeof id === 'string') return named(id, node as TSchema);
    return Object.fromEntries(
      Object.entries(node)
        .filter(([member]) => member !== '$id')
        .map(([member, value]) => [member, copy(value, false)]),
    );
  };
  return copy(schema, true) as Json;
}
