import { useParams } from '@tanstack/react-router';
import { DeviceDetail } from './device-detail.tsx';

export function DevicePage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  return <DeviceDetail id={id} />;
}
