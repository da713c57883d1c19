import { CloseButton, Popover, UnstyledButton } from '@mantine/core';
import type { ListAddress } from '../address/use-list-address.ts';
import classes from './filter-bar.module.css';
import { FilterEditor } from './filter-editor.tsx';
import type { ActiveFilter } from './filter-words.ts';

interface FilterChipProps {
  readonly active: ActiveFilter;
  readonly address: ListAddress;
}

/** A filter that applies. Its words open its editor, its cross removes it. */
export function FilterChip({ active: { definition, relation, words }, address }: FilterChipProps) {
  const remove = () =>
    address.setFilters({
      [definition.name]: undefined,
      ...(definition.kind === 'time-range' && { [definition.until ?? 'until']: undefined }),
    });
  return (
    <span className={classes.chip}>
      <Popover position="bottom-start" shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <UnstyledButton className={classes.words} title={`${definition.label} ${relation} ${words}`}>
            <span className={classes.label}>
              {definition.label} {relation}
            </span>{' '}
            {words}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={`Filter ${definition.label}`}>
          <FilterEditor definition={definition} address={address} />
        </Popover.Dropdown>
      </Popover>
      <CloseButton
        size={24}
        iconSize={14}
        aria-label={`Remove the filter ${definition.label}`}
        onClick={remove}
      />
    </span>
  );
}
