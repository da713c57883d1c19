import { Checkbox, Input, Select, Stack, Text } from '@mantine/core';
import { SCOPE_MEANINGS, type Scope } from '@tps/contract/vocabulary';
import { toWords } from '../../kit/index.ts';
import { useCan } from '../../session/index.ts';
import classes from './scope-picker.module.css';
import { presetOf, SCOPE_PRESETS, scopeRows } from './scope-presets.ts';

interface ScopePickerProps {
  readonly value: readonly string[];
  readonly onChange: (scopes: Scope[]) => void;
  readonly error?: string | undefined;
}

const CUSTOM = 'custom';

/** Chooses scopes: a preset, and below it each scope. Those that the person does not have cannot be given. */
export function ScopePicker({ value, onChange, error }: ScopePickerProps) {
  const can = useCan();
  const preset = presetOf(value);
  const choices = SCOPE_PRESETS.filter(({ scopes }) => scopes.every(can));
  const toggle = (scope: Scope, isOn: boolean) =>
    onChange(isOn ? ([...value, scope] as Scope[]) : (value.filter((one) => one !== scope) as Scope[]));
  return (
    <Stack gap="xs">
      <Select
        label="Scopes"
        description={
          preset?.purpose ?? 'Give only what the program needs: each scope can be misused if the key leaks.'
        }
        allowDeselect={false}
        value={preset?.value ?? CUSTOM}
        data={[
          ...choices.map(({ value: id, label }) => ({ value: id, label })),
          { value: CUSTOM, label: 'Custom' },
        ]}
        onChange={(id) => onChange([...(SCOPE_PRESETS.find((one) => one.value === id)?.scopes ?? [])])}
      />
      <Input.Wrapper error={error}>
        <fieldset className={classes.scopes}>
          <legend className={classes.legend}>Scopes</legend>
          {scopeRows().map(({ noun, scopes }) => (
            <div key={noun} className={classes.row}>
              <span className={classes.noun}>{toWords(noun)}</span>
              {scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  size="xs"
                  label={toWords(scope.split(':')[1] ?? '')}
                  aria-label={scope}
                  title={can(scope) ? SCOPE_MEANINGS[scope] : `You do not have ${scope}`}
                  disabled={!can(scope)}
                  checked={value.includes(scope)}
                  onChange={(event) => toggle(scope, event.currentTarget.checked)}
                />
              ))}
            </div>
          ))}
        </fieldset>
      </Input.Wrapper>
    </Stack>
  );
}

/** The scopes of a credential, with what each permits. */
export function ScopeList({ scopes }: { readonly scopes: readonly string[] }) {
  return (
    <dl className={classes.list}>
      {scopes.map((scope) => (
        <div key={scope} className={classes.item}>
          <dt>
            <code>{scope}</code>
          </dt>
          <dd>
            <Text size="sm" c="dimmed" component="span">
              {Object.hasOwn(SCOPE_MEANINGS, scope) ? SCOPE_MEANINGS[scope as Scope] : ''}
            </Text>
          </dd>
        </div>
      ))}
    </dl>
  );
}
