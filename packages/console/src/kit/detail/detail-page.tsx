import { useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';

/** Makes the page of an object from its detail. The address has the id. */
export function detailPage(Detail: ComponentType<{ readonly id: string }>): ComponentType {
  return function DetailPage() {
    const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
    return <Detail id={id} />;
  };
}
