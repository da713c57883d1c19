import {
  Button,
  Checkbox,
  FileButton,
  Group,
  Modal,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { INDICATOR_TYPES, THREAT_CATEGORIES } from '@tps/contract/vocabulary';
import { useState } from 'react';
import { Form, toCount, toWords, useAct, useDialog, useDraft } from '../../../kit/index.ts';
import { type CheckedLine, checkLines, importLines, type ListStatement } from './import-list.ts';
import { ImportPreview } from './import-preview.tsx';
import { MAX_LINES, readLines } from './read-lines.ts';

const EMPTY = {
  text: '',
  source: 'own-list',
  type: '' as ListStatement['type'] | '',
  category: 'phishing' as ListStatement['category'],
  confidence: '0.9',
  days: '',
  label: '',
  replace: false,
};
type ImportDraft = typeof EMPTY;

const SOURCE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** The threat that a listed value stands for, where the list does not say it. */
const THREAT_TYPES: Readonly<Record<ImportDraft['category'], string>> = {
  phishing: 'known_indicator',
  phone_scam: 'robocall_scam',
  social_engineering: 'suspicious_message',
  malicious_app: 'malware',
  remote_control: 'remote_access_tool',
  deepfake: 'generated_media',
};

/** Imports a pasted list or a file: shows for each line what it is before anything is stored. */
export function ImportDialog() {
  const { isOpen, close } = useDialog('import');
  return (
    <Modal opened={isOpen} onClose={close} size="xl" title="Import indicators">
      <ImportForm onClose={close} />
    </Modal>
  );
}

function ImportForm({ onClose }: { readonly onClose: () => void }) {
  const draft = useDraft('indicator-import', EMPTY);
  const form = draft.value;
  const [checked, setChecked] = useState<readonly CheckedLine[]>();
  const set = (change: Partial<ImportDraft>) => {
    draft.setValue({ ...form, ...change });
    if ('text' in change || 'type' in change) setChecked(undefined);
  };
  const lines = readLines(form.text);
  const check = useAct<void, CheckedLine[]>({
    run: (client) => checkLines(client, { lines, type: form.type === '' ? undefined : form.type }),
    changes: [],
    onDone: setChecked,
    showsError: true,
  });
  const valid = checked?.filter(({ result }) => result.value !== null) ?? [];
  const store = useAct<void, Awaited<ReturnType<typeof importLines>>>({
    run: (client) => importLines(client, valid, toStatement(form)),
    changes: [['indicators']],
    done: ({ added, updated, unchanged, removed }) =>
      `${added} added, ${updated} updated, ${unchanged} unchanged, ${removed} removed`,
    draft,
    onDone: onClose,
  });
  const isReady = lines.length > 0 && lines.length <= MAX_LINES && isValid(form);
  const checkText = `Check ${toCount(lines.length, { one: 'line', many: 'lines' })}`;
  const storeText = `Import ${toCount(valid.length, { one: 'indicator', many: 'indicators' })}`;
  return (
    <Form
      act={checked ? storeText : checkText}
      isReady={isReady && (!checked || valid.length > 0)}
      change={{
        error: store.error ?? check.error,
        isPending: checked ? store.isPending : check.isPending,
      }}
      onSubmit={() => (checked ? store : check).mutate()}
      onCancel={onClose}
    >
      <ListText value={form.text} count={lines.length} onChange={(text) => set({ text })} />
      <StatementFields form={form} onChange={set} />
      {checked && <ImportPreview lines={checked} source={form.source} />}
    </Form>
  );
}

function ListText(props: {
  readonly value: string;
  readonly count: number;
  readonly onChange: (text: string) => void;
}) {
  const [problem, setProblem] = useState<string>();
  const read = async (file: File | null) => {
    if (file === null) return;
    const isTooLarge = file.size > MAX_FILE_BYTES;
    setProblem(isTooLarge ? 'The file is larger than 4 MB: use tps indicators import.' : undefined);
    if (!isTooLarge) props.onChange(await file.text());
  };
  const tooMany =
    props.count > MAX_LINES ? `${props.count.toLocaleString()} lines: use tps indicators import.` : undefined;
  return (
    <Stack gap="xs">
      <Textarea
        data-autofocus
        label="Values"
        description="One per line: domains, addresses, links, SHA-256 hashes or package names. Of a table, only the first column is read. Lines that begin with # are left out."
        rows={7}
        spellCheck={false}
        autoComplete="off"
        value={props.value}
        error={problem ?? tooMany}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
      <FileButton onChange={(file) => void read(file)} accept=".txt,.csv,.tsv,.list,text/plain,text/csv">
        {(button) => (
          <Button {...button} variant="default" size="xs" style={{ alignSelf: 'flex-start' }}>
            Read a file
          </Button>
        )}
      </FileButton>
    </Stack>
  );
}

function StatementFields({
  form,
  onChange,
}: {
  readonly form: ImportDraft;
  readonly onChange: (change: Partial<ImportDraft>) => void;
}) {
  return (
    <Stack gap="sm">
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput
          label="Source"
          description="Names the list."
          value={form.source}
          error={SOURCE.test(form.source) ? undefined : 'Use letters, digits and . _ -'}
          onChange={(event) => onChange({ source: event.currentTarget.value })}
        />
        <Select
          label="Type"
          description="The same for all values."
          allowDeselect={false}
          data={[
            { value: '', label: 'Detect automatically' },
            ...INDICATOR_TYPES.map((value) => ({ value, label: toWords(value) })),
          ]}
          value={form.type ?? ''}
          onChange={(type) => onChange({ type: (type ?? '') as ImportDraft['type'] })}
        />
        <Select
          label="Category"
          description="Of the threat they belong to."
          allowDeselect={false}
          data={THREAT_CATEGORIES.map((value) => ({ value, label: toWords(value) }))}
          value={form.category}
          onChange={(category) => onChange({ category: category as ImportDraft['category'] })}
        />
      </Group>
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput
          label="Confidence"
          description="0 to 1."
          inputMode="decimal"
          value={form.confidence}
          error={isShare(form.confidence) ? undefined : 'Use a number from 0 to 1.'}
          onChange={(event) => onChange({ confidence: event.currentTarget.value })}
        />
        <TextInput
          label="Expires after days"
          description="Empty: they never expire."
          inputMode="numeric"
          value={form.days}
          error={isDays(form.days) ? undefined : 'Use a whole number up to 3650.'}
          onChange={(event) => onChange({ days: event.currentTarget.value })}
        />
        <TextInput
          label="Belongs to"
          description="The malware or the tool, such as AnyDesk."
          maxLength={120}
          value={form.label}
          onChange={(event) => onChange({ label: event.currentTarget.value })}
        />
      </Group>
      <Checkbox
        size="xs"
        label="Replace the source: remove its indicators that this list does not name"
        checked={form.replace}
        onChange={(event) => onChange({ replace: event.currentTarget.checked })}
      />
      <Text size="xs" c="dimmed">
        STIX, MISP and lists of more than {MAX_LINES.toLocaleString()} lines: tps indicators import.
      </Text>
    </Stack>
  );
}

function isValid({ source, confidence, days }: ImportDraft): boolean {
  return SOURCE.test(source) && isShare(confidence) && isDays(days);
}

function isShare(text: string): boolean {
  return /^\d*(?:\.\d+)?$/.test(text) && text !== '' && Number(text) <= 1;
}

function isDays(text: string): boolean {
  return text === '' || (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 3650);
}

function toStatement(form: ImportDraft): ListStatement {
  return {
    source: form.source,
    type: form.type === '' ? undefined : form.type,
    category: form.category,
    threatType: THREAT_TYPES[form.category],
    confidence: Number(form.confidence),
    validDays: form.days === '' ? undefined : Number(form.days),
    label: form.label,
    replace: form.replace,
  };
}
