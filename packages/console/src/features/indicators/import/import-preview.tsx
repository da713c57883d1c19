import { Stack, Text } from '@mantine/core';
import { StatusBadge, toWords } from '../../../kit/index.ts';
import type { CheckedLine } from './import-list.ts';
import classes from './import-preview.module.css';

/** More lines than these are counted and not listed. */
const MAX_SHOWN = 300;

/** What each line is. Lines that cannot be indicators come first, because they need a person. */
export function ImportPreview({
  lines,
  source,
}: {
  readonly lines: readonly CheckedLine[];
  readonly source: string;
}) {
  const invalid = lines.filter(({ result }) => result.value === null);
  const known = lines.filter(({ result }) => result.known.length > 0);
  const ordered = [...invalid, ...lines.filter(({ result }) => result.value !== null)];
  const count = lines.length - invalid.length - known.length;
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {count.toLocaleString()} new, {known.length.toLocaleString()} known, {invalid.length.toLocaleString()}{' '}
        invalid
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard (WCAG 2.1.1). */}
      <section className={classes.scroll} tabIndex={0} aria-label="Result of each line">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Value</th>
              <th scope="col">Type</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {ordered.slice(0, MAX_SHOWN).map((line) => (
              <PreviewRow key={line.number} line={line} source={source} />
            ))}
          </tbody>
        </table>
      </section>
      {ordered.length > MAX_SHOWN && (
        <Text size="xs" c="dimmed">
          The first {MAX_SHOWN} of {ordered.length.toLocaleString()} lines are shown.
        </Text>
      )}
    </Stack>
  );
}

function PreviewRow({ line, source }: { readonly line: CheckedLine; readonly source: string }) {
  const { number, value, result } = line;
  return (
    <tr>
      <td>{number}</td>
      <td className={classes.value}>
        <bdi>{result.value ?? value}</bdi>
      </td>
      <td>{result.type === null ? '–' : toWords(result.type)}</td>
      <td className={classes.value}>{outcomeOf(result, source)}</td>
    </tr>
  );
}

function outcomeOf(result: CheckedLine['result'], source: string) {
  if (result.problem !== null) return <StatusBadge value={`left out: ${result.problem}`} tone="warning" />;
  if (result.known.length === 0) return <StatusBadge value="new" tone="good" />;
  const sources = result.known.map((one) => one.source);
  const others = sources.filter((one) => one !== source);
  if (sources.includes(source)) return <StatusBadge value="updated in this source" tone="active" />;
  return <StatusBadge value={`also in ${others.join(', ')}`} tone="active" />;
}
