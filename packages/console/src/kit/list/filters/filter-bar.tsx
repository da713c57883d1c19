import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ListAddress } from '../address/use-list-address.ts';
import type { ListDefinition } from '../list-definition.ts';
import classes from './filter-bar.module.css';
import { FilterChip } from './filter-chip.tsx';
import { FilterField } from './filter-field.tsx';
import { activeFilters } from './filter-words.ts';

interface FilterBarProps<Item> {
  readonly list: ListDefinition<Item>;
  readonly address: ListAddress;
  /** The heading of its shortcuts in `?`. */
  readonly group: string;
  /** At the left: saved views. */
  readonly views?: ReactNode;
  /** At the right: columns, export. */
  readonly tools?: ReactNode;
}

/** The filters of a list: what applies, and what can be added. */
export function FilterBar<Item>({ list, address, group, views, tools }: FilterBarProps<Item>) {
  return (
    <search className={classes.bar} aria-label={`Filters of ${list.noun.many}`}>
      {views}
      {list.filters.length > 0 && <FilterField filters={list.filters} address={address} group={group} />}
      {activeFilters(list.filters, address.filters).map((active) => (
        <FilterChip key={active.definition.name} active={active} address={address} />
      ))}
      {!address.isBare && (
        <Button variant="subtle" size="compact-xs" onClick={address.reset}>
          Reset
        </Button>
      )}
      <span className={classes.space} />
      {tools}
    </search>
  );
}
