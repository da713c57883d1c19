import { type ComponentType, useDeferredValue, useEffect } from 'react';
import { PageLayout } from '../kit/index.ts';

let hasOpened = false;

/**
 * Shows the heading of a page at once, and the page as soon as that is drawn: on a slow machine, a list takes half a second.
 * The page that the console opens with is drawn whole.
 */
export function PageRoute({ title, Content }: { readonly title: string; readonly Content: ComponentType }) {
  const isDrawn = useDeferredValue(true, !hasOpened);
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
