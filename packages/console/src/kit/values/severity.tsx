import type { SEVERITIES } from '@tps/contract/vocabulary';
import classes from './severity.module.css';
import { toWords } from './words.ts';

/** A severity: rising bars, the word, and a colour. Each is enough by itself. */
export function Severity({ value }: { readonly value: (typeof SEVERITIES)[number] }) {
  return (
    <span className={classes.severity} data-severity={value}>
      {toWords(value)}
    </span>
  );
}
