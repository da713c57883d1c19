import { toWords } from '../values/words.ts';
import type { BulkAction, Choice } from './list-definition.ts';

/** Returns the values of an enumeration as the choices of a filter. */
export function choicesOf(values: readonly string[]): readonly Choice[] {
  return values.map((value) => ({ value, label: toWords(value) }));
}

/** Declares a bulk action with the type of what its form asks for. */
export function bulkAction<Item, Input = undefined>(action: BulkAction<Item, Input>): BulkAction<Item> {
  return action as unknown as BulkAction<Item>;
}
