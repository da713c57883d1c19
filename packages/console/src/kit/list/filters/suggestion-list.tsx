import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react';
import classes from './filter-field.module.css';
import type { Suggestion } from './suggest-filters.ts';

interface SuggestionListProps {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  /** The index of the suggestion that Enter takes, or -1. */
  readonly chosen: number;
  /** Whether the text names a filter and lacks a value. */
  readonly isValueWanted: boolean;
  readonly onChoose: (suggestion: Suggestion) => void;
}

/** The suggestions below the field. */
export function SuggestionList({ id, suggestions, chosen, isValueWanted, onChoose }: SuggestionListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<CSSProperties>();
  useLayoutEffect(() => setPlace(placeBelow(list.current?.parentElement)), []);
  useLayoutEffect(() => {
    if (chosen >= 0) list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div
      ref={list}
      id={id}
      className={classes.suggestions}
      style={place}
      role="listbox"
      aria-label="Filters and values"
      tabIndex={-1}
      // The focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
    >
      {suggestions.length === 0 && (
        <div className={classes.none} role="option" aria-selected={false} aria-disabled={true} tabIndex={-1}>
          {isValueWanted ? 'Type a value' : 'No filter matches'}
        </div>
      )}
      {suggestions.map((suggestion, index) => (
        // The field handles the keys for the options.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        <div
          key={suggestion.key}
          id={toOptionId(id, index)}
          className={classes.option}
          role="option"
          aria-selected={index === chosen}
          tabIndex={-1}
          onClick={() => onChoose(suggestion)}
        >
          {suggestion.value === undefined ? (
            suggestion.label
          ) : (
            <>
              <span className={classes.label}>
                {suggestion.label} {suggestion.relation}
              </span>{' '}
              {suggestion.value}
            </>
          )}
        </div>
      ))}
    </div>
  );
}

/** The id of the element of a suggestion. */
export function toOptionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** In pixels. */
const MIN_WIDTH = 224;
const MAX_WIDTH = 448;
const MARGIN = 8;

/** Keeps the list within the window: on a narrow one, it begins left of its field. */
function placeBelow(field: Element | null | undefined): CSSProperties | undefined {
  if (!field) return undefined;
  const room = document.documentElement.clientWidth - field.getBoundingClientRect().left - MARGIN;
  return { left: Math.min(0, room - MIN_WIDTH), maxWidth: Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, room)) };
}
