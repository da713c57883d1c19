import { Fragment } from 'react';
import { IdLink } from './id-link.tsx';
import { pageOfId } from './id-pages.ts';

const ID = /\b([a-z]{3}_[A-Za-z0-9_-]{1,64})/;

/** Text of the service in which ids are links. Everything else is shown as it is. */
export function LinkedText({ text }: { readonly text: string }) {
  const parts = text.split(ID);
  return parts.map((part, index) => {
    const isId = index % 2 === 1 && pageOfId(part) !== undefined;
    // The parts of one text never change their order.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    return isId ? <IdLink key={index} id={part} /> : <Fragment key={index}>{part}</Fragment>;
  });
}
