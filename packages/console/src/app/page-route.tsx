import { type ComponentType, useDeferredValue, useEffect } from 'react';
import { PageLayout } from '../kit/index.ts';

let hasOpened = false;

interface PageRouteProps {
  readonly title: string;
  readonly Content: ComponentType;
  /** Whether the reader goes back or forward to it. */
  readonly isReturn: boolean;
}

/**
 * Shows the heading of a page at once, and the page as soon as that is drawn: on a slow machine, a list takes half a second.
 * The page that the console opens with is drawn whole, and so is one to which the reader returns: the router restores its
 * position at once.
 */
export function PageRoute({ title, Content, isReturn }: PageRouteProps) {
  const isDrawn = useDeferredValue(true, !hasOpened || isReturn);
  useEffect(() => {
    hasOpened = true;
  }, []);
  if (isDrawn) return <Content />;
  return (
    <PageLayout title={title}>
      <div aria-busy="true" />
    </PageLayout>
  );
}
