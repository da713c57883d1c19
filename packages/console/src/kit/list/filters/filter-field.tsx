import { IconFilter } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useShortcuts } from '../../keyboard/index.ts';
import type { ListAddress } from '../address/use-list-address.ts';
import type { FilterDefinition } from '../list-definition.ts';
import classes from './filter-field.module.css';
import { type Suggestion, suggestFilters } from './suggest-filters.ts';
import { SuggestionList, toOptionId } from './suggestion-list.tsx';

interface FilterFieldProps {
  readonly filters: readonly FilterDefinition[];
  readonly address: ListAddress;
  readonly group: string;
}

/** What is typed, and which suggestion Enter takes. */
interface Draft {
  readonly text: string;
  /** The index of that suggestion, or -1. */
  readonly chosen: number;
  readonly isOpen: boolean;
}

const CLOSED: Draft = { text: '', chosen: -1, isOpen: false };
/** The code of a key that belongs to a composition. Safari sends the last one after the end of the composition. */
const COMPOSING = 229;

/**
 * The field that adds filters, by the name of a filter or by a value. It has plain elements: with those of Mantine, each key
 * took twice as long, because it rendered the field, its frame and its popover.
 */
export function FilterField({ filters, address, group }: FilterFieldProps) {
  const [draft, setDraft] = useState(CLOSED);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const { text, chosen, isOpen } = draft;
  const suggestions = isOpen ? suggestFilters(filters, address.filters, text) : [];
  useShortcuts([{ keys: '/', label: 'Filter', group, run: () => field.current?.focus() }]);
  const open = () => setDraft((now) => ({ ...now, isOpen: true }));
  const choose = ({ change, label }: Suggestion) => {
    if (change) address.setFilters(change);
    setDraft(change ? CLOSED : { text: `${label}: `, chosen: -1, isOpen: true });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === COMPOSING) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const suggestion = suggestions[chosen];
    if (event.key === 'Escape') event.currentTarget.blur();
    else if (event.key === 'Enter' && suggestion) choose(suggestion);
    else if (step !== undefined) setDraft({ text, isOpen: true, chosen: toNext(chosen, step, suggestions) });
    else return;
    if (event.key !== 'Escape') event.preventDefault();
  };
  return (
    <div className={classes.field}>
      <IconFilter className={classes.icon} size={14} aria-hidden="true" />
      <input
        ref={field}
        className={classes.input}
        role="combobox"
        aria-label={`Filter ${group.toLowerCase()}`}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={suggestions[chosen] && toOptionId(listId, chosen)}
        autoComplete="off"
        placeholder="Filter"
        value={text}
        onChange={(event) => setDraft({ text: event.currentTarget.value, chosen: 0, isOpen: true })}
        onFocus={open}
        onClick={open}
        onBlur={() => setDraft(CLOSED)}
        onKeyDown={onKeyDown}
      />
      {text === '' && (
        <span className={classes.key} aria-hidden="true">
          /
        </span>
      )}
      {isOpen && (
        <SuggestionList
          id={listId}
          suggestions={suggestions}
          chosen={chosen}
          isValueWanted={text.includes(':')}
          onChoose={choose}
        />
      )}
    </div>
  );
}

function toNext(chosen: number, step: number, { length }: readonly Suggestion[]): number {
  if (length === 0) return -1;
  return chosen < 0 && step < 0 ? length - 1 : (chosen + step + length) % length;
}
