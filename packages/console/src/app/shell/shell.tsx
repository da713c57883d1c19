import { VisuallyHidden } from '@mantine/core';
import { Outlet, useLocation, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { NavigationBar } from './navigation-bar.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import classes from './shell.module.css';
import { useContrast } from './use-contrast.ts';

/** The frame around every page. `?kiosk=1` leaves only the page, for a screen on a wall. */
export function Shell() {
  const { pathname } = useLocation();
  const { kiosk } = useSearch({ strict: false }) as { readonly kiosk?: string };
  const [isOpen, setOpen] = useState(false);
  useContrast();
  useEffect(() => {
    if (pathname) setOpen(false);
  }, [pathname]);
  if (kiosk === '1') {
    return (
      <main className={classes.kiosk}>
        <Outlet />
      </main>
    );
  }
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        Skip to the page
      </a>
      <NavigationBar isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      <main id="main" tabIndex={-1} className={classes.main}>
        <OfflineBanner />
        <Outlet />
      </main>
      <VisuallyHidden role="status" aria-live="polite" id="announcements" />
    </div>
  );
}
