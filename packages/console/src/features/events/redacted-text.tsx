import { Fragment } from 'react';
import classes from './redacted-text.module.css';
import { splitAtMarks } from './split-at-marks.ts';

interface RedactedTextProps {
  readonly text: string;
  /** On one line, cut off at its end. */
  readonly isLine?: boolean;
}

/** A text of an event. The marks that replace personal data and links stand out. */
export function RedactedText({ text, isLine = false }: RedactedTextProps) {
  return (
    <bdi className={isLine ? undefined : classes.text}>
      {splitAtMarks(text).map(({ part, at, words }) =>
        words === undefined ? (
          <Fragment key={at}>{part}</Fragment>
        ) : (
          <mark key={at} className={classes.mark} title={`${part}: removed before the event was stored`}>
            {words}
          </mark>
        ),
      )}
    </bdi>
  );
}
