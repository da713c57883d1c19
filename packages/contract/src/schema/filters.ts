import { type Static, type TSchema, Type } from 'typebox';
import { type IdNoun, idForm } from './identifiers.ts';
import { timestampOf } from './values.ts';
import { ID_PREFIXES } from './vocabulary.ts';

/** Maximum number of values in one filter. */
export const MAX_FILTER_VALUES = 50;

/** Enough for 50 ids, or for a few long texts. */
const MAX_FILTER_LENGTH = 4_000;

/** One text. A bare `!` at the beginning of the first one would be read as the negation. */
const TEXT = '(?:[^,\\\\]|\\\\[,!\\\\])+';
const FIRST_TEXT = '(?:[^,!\\\\]|\\\\[,!\\\\])(?:[^,\\\\]|\\\\[,!\\\\])*';

const MEANING =
  'Several values are separated by commas and any of them matches. After a leading `!`, none of them matches.';

/** The text of a filter. The type remembers which values it lists. */
export type AnyOfText<Value extends string = string> = string & { readonly listedValues?: Value };

/**
 * Builds the query member that filters by the values of an enumeration: `high,critical` matches any of them, `!low`
 * everything else. `x-values` lists the values for people and programs that read the document.
 */
export function anyOf<Schema extends TSchema>(schema: Schema) {
  const { enum: values = [], description = '' } = schema as {
    enum?: readonly string[];
    description?: string;
  };
  if (values.length === 0) throw new TypeError('anyOf needs an enumeration');
  const known = `\`${values.join('`, `')}\``;
  return Type.Optional(
    Type.Unsafe<AnyOfText<Static<Schema> & string>>({
      type: 'string',
      pattern: listOf(values.join('|')),
      maxLength: MAX_FILTER_LENGTH,
      'x-values': [...values],
      description: `${description} ${MEANING} Values: ${known}.`,
    }),
  );
}

/** Builds the query member that filters by ids of one noun, in the same form. */
export function anyOfIds(noun: IdNoun, description = `ID of the ${noun.replace('_', ' ')}.`) {
  return Type.Optional(
    Type.Unsafe<AnyOfText>({
      type: 'string',
      pattern: listOf(idForm(noun).source.slice(1, -1)),
      maxLength: MAX_FILTER_LENGTH,
      'x-values': [`${ID_PREFIXES[noun]}_<id>`],
      description: `${description} ${MEANING}`,
    }),
  );
}

/** Builds the query member that filters by free texts, in the same form. A `\` precedes a `,`, `!` or `\` in a value. */
export function anyOfTexts(description: string, maxValues = MAX_FILTER_VALUES) {
  return Type.Optional(
    Type.Unsafe<AnyOfText>({
      type: 'string',
      pattern: listOf(TEXT, { firstItem: FIRST_TEXT, maxItems: maxValues }),
      maxLength: MAX_FILTER_LENGTH,
      description: `${description} ${MEANING} At most ${maxValues}. Write \`\\,\`, \`\\!\` and \`\\\\\` for these characters in a value.`,
    }),
  );
}

/** The query members that select by time of creation. The range is half-open. */
export const createdWithin = {
  since: Type.Optional(timestampOf('Only items created at this time or later.')),
  until: Type.Optional(timestampOf('Only items created before this time.')),
};

function listOf(item: string, { firstItem = item, maxItems = MAX_FILTER_VALUES } = {}): string {
  return `^!?(?:${firstItem})(?:,(?:${item})){0,${maxItems - 1}}$`;
}
