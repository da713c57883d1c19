import {
  Button,
  FileInput,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { NewScan, ScanResult } from '@tps/client';
import { type FormEvent, useState } from 'react';
import { EmptyState, ErrorState, PageLayout, Section, useAct, useDraft } from '../../kit/index.ts';
import { ScanOutcome } from './scan-outcome.tsx';
import { MAX_FILE_BYTES, toBase64 } from './to-base64.ts';

/** The bounds of the service. */
const MAX_PREVIOUS = 20;
const MAX_PREVIOUS_LENGTH = 2_000;

const KINDS = [
  { value: 'text', label: 'Message' },
  { value: 'url', label: 'Link' },
  { value: 'file', label: 'File' },
  { value: 'app', label: 'App' },
] as const;
type Kind = (typeof KINDS)[number]['value'];

const SENDERS = [
  { value: '', label: 'Not stated' },
  { value: 'known', label: 'Known to the person' },
  { value: 'unknown', label: 'A stranger' },
] as const;

const EMPTY = { kind: 'text' as Kind, text: '', url: '', app: '', sender: '', previous: '' };
type Form = typeof EMPTY;

/** What was scanned since the page was opened. The service keeps no content. */
interface FinishedScan {
  readonly of: string;
  readonly result: ScanResult;
}

/** Tries any content, as a device would see it. */
export function ScanPage() {
  const draft = useDraft('scan', EMPTY);
  const form = draft.value;
  const set = (change: Partial<Form>) => draft.setValue({ ...form, ...change });
  const [file, setFile] = useState<File | null>(null);
  const [scanned, setScanned] = useState<readonly FinishedScan[]>([]);
  const scan = useAct<object, FinishedScan>({
    run: async (client, _input, attempt) => {
      const content = await toNewScan(form, file);
      return { of: nameOf(form, file), result: await client.scan.content(content, attempt) };
    },
    changes: [],
    onDone: (one) => setScanned([one, ...scanned].slice(0, 20)),
    showsError: true,
  });
  const problem = problemOf(form, file);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { name, size, lastModified } = file ?? {};
    if (problem === undefined) scan.mutate({ form, name, size, lastModified });
  };
  return (
    <PageLayout
      title="Scan"
      description="Try a message, link, file or app. The service analyzes it and keeps the result, never the content."
    >
      <form onSubmit={submit}>
        <Stack gap="md" maw={720}>
          <SegmentedControl
            size="xs"
            aria-label="Kind of content"
            data={[...KINDS]}
            value={form.kind}
            onChange={(kind) => set({ kind: kind as Kind })}
            style={{ alignSelf: 'flex-start' }}
          />
          <ContentField form={form} file={file} onChange={set} onFile={setFile} />
          <Group gap="sm">
            <Button type="submit" disabled={problem !== undefined} loading={scan.isPending}>
              Scan
            </Button>
            {problem !== undefined && problem !== '' && (
              <Text size="sm" role="status">
                {problem}
              </Text>
            )}
          </Group>
          {scan.error && <ErrorState error={scan.error} />}
        </Stack>
      </form>
      <div aria-live="polite">
        {scanned.length === 0 ? (
          <EmptyState title="Nothing scanned yet">
            <Text size="sm">
              The result says what a device should do, how sure the detectors are, and why. Results appear
              here until you leave the page.
            </Text>
          </EmptyState>
        ) : (
          scanned.map(({ of, result }) => (
            <Section key={result.scan_id} title={of}>
              <ScanOutcome result={result} />
            </Section>
          ))
        )}
      </div>
    </PageLayout>
  );
}

function ContentField(props: {
  readonly form: Form;
  readonly file: File | null;
  readonly onChange: (change: Partial<Form>) => void;
  readonly onFile: (file: File | null) => void;
}) {
  const { form, file, onChange, onFile } = props;
  if (form.kind === 'text') {
    return (
      <>
        <Textarea
          label="Message or transcript"
          rows={6}
          maxLength={100_000}
          spellCheck={false}
          value={form.text}
          onChange={(event) => onChange({ text: event.currentTarget.value })}
        />
        <NativeSelect
          label="Sender"
          maw={260}
          data={[...SENDERS]}
          value={form.sender}
          onChange={(event) => onChange({ sender: event.currentTarget.value })}
        />
        <Textarea
          label="Earlier messages"
          description="One per line, the oldest first, at most 20. They are not stored."
          rows={2}
          autosize
          maxRows={8}
          spellCheck={false}
          value={form.previous}
          onChange={(event) => onChange({ previous: event.currentTarget.value })}
        />
      </>
    );
  }
  if (form.kind === 'file') {
    return (
      <FileInput
        label="File"
        description="At most 11 MB. It is analyzed but not stored."
        placeholder="Choose a file"
        clearable
        value={file}
        onChange={onFile}
      />
    );
  }
  const isLink = form.kind === 'url';
  return (
    <TextInput
      label={isLink ? 'Link' : 'Package name'}
      description={isLink ? 'It is not opened.' : 'Such as com.example.app.'}
      autoComplete="off"
      spellCheck={false}
      maxLength={isLink ? 8_192 : 255}
      value={isLink ? form.url : form.app}
      onChange={(event) => onChange({ [isLink ? 'url' : 'app']: event.currentTarget.value })}
    />
  );
}

/** Why a scan cannot begin; empty where there is just nothing to scan yet. */
function problemOf({ kind, text, url, app, previous }: Form, file: File | null): string | undefined {
  if (kind === 'file') {
    if (file === null || file.size === 0) return file === null ? '' : 'The file is empty.';
    return file.size > MAX_FILE_BYTES ? 'The file is larger than 11 MB.' : undefined;
  }
  if ({ text, url, app }[kind].trim() === '') return '';
  if (kind !== 'text') return undefined;
  const messages = toMessages(previous);
  if (messages.length > MAX_PREVIOUS) return `At most ${MAX_PREVIOUS} earlier messages can be given.`;
  return messages.some(({ length }) => length > MAX_PREVIOUS_LENGTH)
    ? 'An earlier message is longer than 2,000 characters.'
    : undefined;
}

function toMessages(previous: string | undefined): string[] {
  return (previous ?? '').split('\n').filter((line) => line.trim() !== '');
}

/** Returns what the form says about the conversation; undefined if it says nothing. */
function toContext({ sender, previous }: Form): NewScan['context'] {
  const messages = toMessages(previous);
  const context = {
    ...(sender && { known_sender: sender === 'known' }),
    ...(messages.length > 0 && { previous: messages }),
  };
  return Object.keys(context).length === 0 ? undefined : context;
}

async function toNewScan(form: Form, file: File | null): Promise<NewScan> {
  const { kind, text, url, app } = form;
  if (kind === 'app') return { type: 'app', app: { package_name: app.trim() } };
  if (kind === 'url') return { type: 'url', content: url.trim() };
  if (kind === 'text') {
    const context = toContext(form);
    return { type: 'text', content: text, ...(context && { context }) };
  }
  if (file === null) throw new Error('Choose a file.');
  return { type: 'file', filename: file.name.slice(0, 255), content_b64: await toBase64(file) };
}

function nameOf({ kind, text, url, app }: Form, file: File | null): string {
  const name = { text, url, app, file: file?.name ?? 'File' }[kind];
  const line = name.replaceAll(/\s+/g, ' ').trim();
  return line.length > 90 ? `${line.slice(0, 90)}…` : line;
}
