import { SEVERITIES } from '@tps/contract/vocabulary';
import classes from './severity.module.css';
import { toWords } from './words.ts';

const BARS = SEVERITIES.map((_, index) => index);

/** A severity: rising bars, the word, and a colour. Each is enough by itself. */
export function Severity({ value }: { readonly value: (typeof SEVERITIES)[number] }) {
  const rank = SEVERITIES.indexOf(value);
  return (
    <span className={classes.severity} data-severity={value}>
      <svg className={classes.bars} viewBox="0 0 14 12" aria-hidden="true">
        {BARS.map((bar) => (
          <rect
            key={bar}
            x={bar * 3.6}
            y={9 - bar * 3}
            width="2.6"
            height={3 + bar * 3}
            rx="0.6"
            opacity={bar <= rank ? 1 : 0.22}
          />
        ))}
      </svg>
      {toWords(value)}
    </span>
  );
}
