import { Table } from '@mantine/core';
import { IdLink, LinkedText, pageOfId } from '../../../kit/index.ts';
import { type Block, parseReport, type Span, spansOf } from './parse-report.ts';
import classes from './report.module.css';

/** The report of a triage, with its ids as links. */
export function Report({ text }: { readonly text: string }) {
  const blocks = parseReport(text);
  return (
    <div className={classes.report}>
      {blocks.map((block, index) => (
        // The report never changes.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <ReportBlock key={index} block={block} />
      ))}
    </div>
  );
}

function ReportBlock({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'heading':
      return block.level === 1 ? (
        <h3 className={classes.title}>
          <Line text={block.text} />
        </h3>
      ) : (
        <h4 className={classes.heading}>
          <Line text={block.text} />
        </h4>
      );
    case 'paragraph':
      return (
        <p>
          <Line text={block.text} />
        </p>
      );
    case 'list': {
      const items = block.items.map((item) => (
        <li key={item}>
          <Line text={item} />
        </li>
      ));
      return block.isNumbered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return <ReportTable head={block.head} rows={block.rows} />;
  }
}

function ReportTable({
  head,
  rows,
}: {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}) {
  return (
    <Table.ScrollContainer minWidth={480} type="native" tabIndex={0}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {head.map((cell) => (
              <Table.Th key={cell}>
                <Line text={cell} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.join('|')}>
              {row.map((cell, column) => (
                <Table.Td key={head[column]}>
                  <Line text={cell} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Line({ text }: { readonly text: string }) {
  return spansOf(text).map((span, index) => (
    // The parts of a line never change their order.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <ReportSpan key={index} span={span} />
  ));
}

function ReportSpan({ span }: { readonly span: Span }) {
  switch (span.kind) {
    case 'strong':
      return <strong>{span.text}</strong>;
    case 'code':
      return pageOfId(span.text) === undefined || /\s/.test(span.text) ? (
        <code className={classes.code}>{span.text}</code>
      ) : (
        <IdLink id={span.text} />
      );
    case 'text':
      return <LinkedText text={span.text} />;
  }
}
