import type { SEVERITIES } from '@tps/contract/vocabulary';
import type { ReactNode } from 'react';
import { IdLink } from '../values/id-link.tsx';
import { Severity } from '../values/severity.tsx';
import { StatusBadge } from '../values/status-badge.tsx';
import { TimeValue } from '../values/time-value.tsx';
import { toPercent, toWords } from '../values/words.ts';
import type { ColumnDefinition } from './list-definition.ts';

/** The members of an item that hold a `Value` or nothing. */
type MemberOf<Item, Value> = string &
  { [Name in keyof Item]-?: Item[Name] extends Value | null | undefined ? Name : never }[keyof Item];

/** A column that shows one value of an item: the member that `id` names, unless `from` names or reads another. */
type ValueColumn<Item, Value> = Omit<ColumnDefinition<Item>, 'id' | 'value' | 'cell'> & {
  /** What the cell shows where the item has no value (default: nothing). */
  readonly absent?: string;
} & (
    | { readonly id: MemberOf<Item, Value>; readonly from?: never }
    | {
        readonly id: string;
        readonly from: MemberOf<Item, Value> | ((item: Item) => Value | null | undefined);
      }
  );

/** Declares columns by the kind of their values. */
export const column = {
  text: columnOf<string>((text) => text),
  /** A value of the API as people read it: `In progress`. */
  words: columnOf<string>(toWords),
  time: columnOf<string>((time) => <TimeValue value={time} />),
  /** An id as a link to the page of its object. */
  id: columnOf<string>((id) => <IdLink id={id} />),
  status: columnOf<string>((status) => <StatusBadge value={status} />),
  severity: columnOf<(typeof SEVERITIES)[number]>((severity) => <Severity value={severity} />),
  count: columnOf<number>(String, { align: 'end' }),
  /** A share of one, such as a confidence. */
  percent: columnOf<number>(toPercent, { align: 'end' }),
};

function columnOf<Value extends string | number>(
  show: (value: Value) => ReactNode,
  layout: { readonly align?: 'end' } = {},
) {
  return <Item,>({ from, absent = '', ...rest }: ValueColumn<Item, Value>): ColumnDefinition<Item> => {
    const member = (from ?? rest.id) as keyof Item;
    const read = typeof from === 'function' ? from : (item: Item) => item[member] as Value | null | undefined;
    return {
      ...layout,
      ...rest,
      value: (item) => String(read(item) ?? ''),
      cell: (item) => {
        const value = read(item);
        return value === null || value === undefined ? absent : show(value);
      },
    };
  };
}
