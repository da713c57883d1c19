import { CopyButton } from './copy-button.tsx';
import classes from './snippet.module.css';

interface SnippetProps {
  /** What the reader copies and runs. */
  readonly code: string;
  /** Names it for screen readers: `Command that enrols a device`. */
  readonly label: string;
}

/** A command or a piece of code to copy. */
export function Snippet({ code, label }: SnippetProps) {
  return (
    <figure className={classes.snippet} aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard (WCAG 2.1.1). */}
      <pre className={classes.code} tabIndex={0}>
        {code}
      </pre>
      <CopyButton value={code} label={`Copy: ${label}`} />
    </figure>
  );
}
