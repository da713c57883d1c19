import { useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';
import classes from './offline-banner.module.css';

/** Says that the browser is offline. What was read stays on the page, and what was typed stays in its form. */
export function OfflineBanner() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <p className={classes.banner}>
          <IconWifiOff size={16} aria-hidden="true" />
          You are offline. The page may be out of date. What you typed is kept.
        </p>
      )}
    </div>
  );
}
