import { Stack, Text } from '@mantine/core';
import type { ScanResult } from '@tps/client';
import { Facts, StatusBadge, TimeValue, toPercent, toWords } from '../../kit/index.ts';
import classes from './scan-outcome.module.css';

/** A verdict with its reasons. */
export function ScanOutcome({ result }: { readonly result: ScanResult }) {
  const isAnalyzed = result.status === 'completed';
  return (
    <Stack gap="sm">
      <p className={classes.verdict}>
        {isAnalyzed || result.verdict !== 'allow' ? <StatusBadge value={result.verdict} /> : null}
        <span lang={result.language}>{result.details}</span>
      </p>
      {!isAnalyzed && (
        <Text size="sm">No detector can analyze this content. That does not mean that it is safe.</Text>
      )}
      <Facts
        items={[
          { label: 'Category', value: result.threat_category && toWords(result.threat_category) },
          { label: 'Threat', value: result.threat_detected ? toWords(result.threat_type) : 'None' },
          { label: 'Confidence', value: isAnalyzed ? toPercent(result.confidence) : null },
          { label: 'Model', value: result.model_version ?? 'None loaded' },
          { label: 'Scanned', value: <TimeValue value={result.scanned_at} /> },
        ]}
      />
      {result.findings.length > 0 && <Findings result={result} />}
    </Stack>
  );
}

function Findings({ result }: { readonly result: ScanResult }) {
  return (
    <table className={classes.table}>
      <caption className={classes.caption}>Findings</caption>
      <thead>
        <tr>
          <th scope="col">Detector</th>
          <th scope="col">Confidence</th>
          <th scope="col">Evidence</th>
        </tr>
      </thead>
      <tbody>
        {result.findings.map(({ detector, confidence, evidence }) => (
          <tr key={`${detector} ${evidence}`}>
            <td>{detector}</td>
            <td>{toPercent(confidence)}</td>
            <td className={classes.evidence}>
              <bdi>{evidence}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
