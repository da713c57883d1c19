import { Combobox, Kbd, TextInput, useCombobox } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useShortcuts } from '../../keyboard/index.ts';
import type { ListAddress } from '../address/use-list-address.ts';
import type { FilterDefinition } from '../list-definition.ts';
import classes from './filter-bar.module.css';
import { type Suggestion, suggestFilters } from './suggest-filters.ts';

interface FilterFieldProps {
  readonly filters: readonly FilterDefinition[];
  readonly address: ListAddress;
  readonly group: string;
}

/** The field that adds filters: by the name of a filter, or by a value. */
export function FilterField({ filters, address, group }: FilterFieldProps) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const suggestions = combobox.dropdownOpened ? suggestFilters(filters, address.filters, text) : [];
  useShortcuts([{ keys: '/', label: 'Filter', group, run: () => field.current?.focus() }]);
  const choose = (key: string) => {
    const chosen = suggestions.find((suggestion) => suggestion.key === key);
    if (!chosen) return;
    if (chosen.change) {
      address.setFilters(chosen.change);
      setText('');
      combobox.closeDropdown();
      return;
    }
    setText(`${chosen.label}: `);
    combobox.resetSelectedOption();
  };
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={choose}
      position="bottom-start"
      width="max-content"
      shadow="md"
    >
      <Combobox.Target>
        <TextInput
          ref={field}
          size="xs"
          className={classes.field}
          aria-label={`Filter ${group.toLowerCase()}`}
          placeholder="Filter"
          value={text}
          leftSection={<IconFilter size={14} aria-hidden="true" />}
          rightSection={text === '' ? <Kbd size="xs">/</Kbd> : undefined}
          onChange={(event) => {
            setText(event.currentTarget.value);
            combobox.openDropdown();
            combobox.updateSelectedOptionIndex();
            combobox.selectFirstOption();
          }}
          onFocus={() => combobox.openDropdown()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => {
            combobox.closeDropdown();
            setText('');
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            setText('');
            event.currentTarget.blur();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!combobox.dropdownOpened} className={classes.suggestions}>
        <Combobox.Options aria-label="Filters and values">
          {suggestions.length === 0 && (
            <Combobox.Empty>{text.includes(':') ? 'Type a value' : 'No filter matches'}</Combobox.Empty>
          )}
          {suggestions.map((suggestion) => (
            <Combobox.Option key={suggestion.key} value={suggestion.key}>
              <SuggestionText suggestion={suggestion} />
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function SuggestionText({ suggestion: { label, relation, value } }: { readonly suggestion: Suggestion }) {
  if (value === undefined) return label;
  return (
    <>
      <span className={classes.label}>
        {label} {relation}
      </span>{' '}
      {value}
    </>
  );
}
