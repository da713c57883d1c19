import { Button, CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ListAddress } from '../address/use-list-address.ts';
import type { ListDefinition } from '../list-definition.ts';
import classes from './filter-bar.module.css';
import { activeFilters } from './filter-words.ts';

interface FilterBarProps<Item> {
  readonly list: ListDefinition<Item>;
  readonly address: ListAddress;
  /** At the left: saved views. */
  readonly views?: ReactNode;
  /** At the right: columns, export. */
  readonly tools?: ReactNode;
}

/** The filters of a list: what applies, and what can be added. */
export function FilterBar<Item>({ list, address, views, tools }: FilterBarProps<Item>) {
  const active = activeFilters(list.filters, address.filters);
  return (
    <div className={classes.bar}>
      {views}
      {active.map(({ definition, relation, words }) => (
        <span key={definition.name} className={classes.chip}>
          <span className={classes.label}>
            {definition.label} {relation}
          </span>
          {words}
          <CloseButton
            size="xs"
            aria-label={`Remove the filter ${definition.label}`}
            onClick={() =>
              address.setFilters({
                [definition.name]: undefined,
                ...(definition.kind === 'time-range' && { [definition.until ?? 'until']: undefined }),
              })
            }
          />
        </span>
      ))}
      {!address.isBare && (
        <Button variant="subtle" size="compact-xs" onClick={address.reset}>
          Reset
        </Button>
      )}
      <span className={classes.space} />
      {tools}
    </div>
  );
}
