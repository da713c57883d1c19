import { Button, Checkbox, Group, Radio, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ListAddress } from '../address/use-list-address.ts';
import type { FilterDefinition } from '../list-definition.ts';
import { type FilterValue, formatFilter, parseFilter } from './filter-value.ts';
import { fromLocalInput, TIME_PRESETS, toLocalInput } from './time-range.ts';

interface FilterEditorProps<Definition = FilterDefinition> {
  readonly definition: Definition;
  readonly address: ListAddress;
}

/** Changes one filter. */
export function FilterEditor({ definition, address }: FilterEditorProps) {
  switch (definition.kind) {
    case 'any-of':
      return <ChoicesEditor definition={definition} address={address} />;
    case 'one-of':
      return <ChoiceEditor definition={definition} address={address} />;
    case 'time-range':
      return <RangeEditor definition={definition} address={address} />;
    default:
      return <TextEditor definition={definition} address={address} />;
  }
}

type OfKind<Kind> = Extract<FilterDefinition, { kind: Kind }>;

function ChoicesEditor({ definition, address }: FilterEditorProps<OfKind<'any-of'>>) {
  const value = parseFilter(address.filters[definition.name] ?? '');
  const set = (next: FilterValue) => address.setFilters({ [definition.name]: formatFilter(next) });
  return (
    <Stack gap="xs">
      <Direction label={definition.label} value={value} onChange={set} />
      <Checkbox.Group
        aria-label={definition.label}
        value={[...value.values]}
        onChange={(values) => set({ matches: value.matches, values })}
      >
        <Stack gap="sm">
          {definition.choices.map((choice) => (
            <Checkbox key={choice.value} size="xs" value={choice.value} label={choice.label} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Stack>
  );
}

function ChoiceEditor({ definition, address }: FilterEditorProps<OfKind<'one-of'>>) {
  return (
    <Radio.Group
      aria-label={definition.label}
      value={address.filters[definition.name] ?? ''}
      onChange={(value) => address.setFilters({ [definition.name]: value })}
    >
      <Stack gap="sm">
        {definition.choices.map((choice) => (
          <Radio key={choice.value} size="xs" value={choice.value} label={choice.label} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function TextEditor({ definition, address }: FilterEditorProps<OfKind<'id' | 'text'>>) {
  const value = parseFilter(address.filters[definition.name] ?? '');
  const [text, setText] = useState(value.values.join(', '));
  const set = (next: FilterValue) => address.setFilters({ [definition.name]: formatFilter(next) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = text.split(/[,\s]+/).filter(Boolean);
    set({
      matches: value.matches,
      values: definition.kind === 'id' ? values : [text.trim()].filter(Boolean),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Direction label={definition.label} value={value} onChange={set} />
        <Group gap="xs" wrap="nowrap">
          <TextInput
            size="xs"
            aria-label={definition.label}
            placeholder={definition.placeholder ?? ''}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button size="xs" type="submit">
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function RangeEditor({ definition, address }: FilterEditorProps<OfKind<'time-range'>>) {
  const { name, until = 'until' } = definition;
  const [from, setFrom] = useState(toLocalInput(address.filters[name]));
  const [to, setTo] = useState(toLocalInput(address.filters[until]));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    address.setFilters({ [name]: fromLocalInput(from), [until]: fromLocalInput(to) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group gap="xs" maw={300}>
          {TIME_PRESETS.map(({ value, label }) => (
            <Button
              key={value}
              size="compact-xs"
              variant={address.filters[name] === value ? 'light' : 'default'}
              onClick={() => address.setFilters({ [name]: value, [until]: undefined })}
            >
              {label}
            </Button>
          ))}
        </Group>
        <TextInput
          size="xs"
          type="datetime-local"
          label="From"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          size="xs"
          type="datetime-local"
          label="To"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Button size="xs" type="submit">
          Apply
        </Button>
      </Stack>
    </form>
  );
}

interface DirectionProps {
  readonly label: string;
  readonly value: FilterValue;
  readonly onChange: (value: FilterValue) => void;
}

function Direction({ label, value, onChange }: DirectionProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={`${label} is or is not`}
      value={value.matches}
      onChange={(matches) => onChange({ ...value, matches: matches === 'none' ? 'none' : 'any' })}
      data={[
        { value: 'any', label: 'is' },
        { value: 'none', label: 'is not' },
      ]}
    />
  );
}
