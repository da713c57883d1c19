import { Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState, Facts, PageLayout, QueryState, Section, Snippet, toWords } from '../../kit/index.ts';
import { API_URL, useClient } from '../../session/index.ts';
import { type ReferenceOperation, readReference, toCurl } from './read-reference.ts';
import classes from './reference-page.module.css';

/** Every operation of the API, with a request to copy. */
export function ReferencePage() {
  const client = useClient();
  const navigate = useNavigate();
  const { q = '' } = useSearch({ strict: false }) as { readonly q?: string };
  const query = useQuery({
    queryKey: ['api-reference'],
    queryFn: async ({ signal }) => readReference(await client.service.openApi({ signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const search = (text: string) =>
    navigate({ to: '.', search: { q: text === '' ? undefined : text } as never, replace: true });
  return (
    <PageLayout
      title="API reference"
      description={
        <>
          The API of this service at {API_URL}. All schemas:{' '}
          <a href={`${API_URL}/docs`}>full documentation</a>,{' '}
          <a href={`${API_URL}/openapi.json`}>OpenAPI document</a>.
        </>
      }
    >
      <TextInput
        label="Search operations"
        placeholder="incidents, POST, webhooks:write"
        maw={420}
        value={q}
        onChange={(event) => void search(event.currentTarget.value)}
      />
      <QueryState query={query}>{(operations) => <Operations operations={operations} text={q} />}</QueryState>
    </PageLayout>
  );
}

function Operations({
  operations,
  text,
}: {
  readonly operations: readonly ReferenceOperation[];
  readonly text: string;
}) {
  const words = text.toLowerCase().split(/\s+/);
  const found = operations.filter(({ method, path, summary, scope, tag }) => {
    const all = `${method} ${path} ${summary} ${scope} ${tag}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  if (found.length === 0) return <EmptyState title="No operation matches the search." />;
  const tags = [...new Set(found.map(({ tag }) => tag))];
  return (
    <Stack gap="lg">
      {tags.map((tag) => (
        <Section key={tag} title={toWords(tag)}>
          {found
            .filter((one) => one.tag === tag)
            .map((operation) => (
              <Operation key={operation.id} operation={operation} />
            ))}
        </Section>
      ))}
    </Stack>
  );
}

function Operation({ operation }: { readonly operation: ReferenceOperation }) {
  const { method, path, summary, description, scope, parameters } = operation;
  return (
    <details className={classes.operation}>
      <summary className={classes.summary}>
        <code className={classes.call}>
          {method} {path}
        </code>
        <span>{summary}</span>
      </summary>
      <Stack gap="sm" pt="xs" pb="md">
        {description !== '' && <Text size="sm">{description}</Text>}
        <Facts
          items={[
            { label: 'Scope', value: scope === undefined ? 'None: public' : <code>{scope}</code> },
            ...parameters.map(({ name, description: meaning }) => ({ label: name, value: meaning })),
          ]}
        />
        <Snippet label={`Request: ${summary}`} code={toCurl(operation, API_URL)} />
      </Stack>
    </details>
  );
}
