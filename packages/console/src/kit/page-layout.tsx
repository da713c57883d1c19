import { type ReactNode, useEffect } from 'react';
import classes from './page-layout.module.css';

interface PageLayoutProps {
  readonly title: string;
  /** One sentence on what the page is for, where the title does not say it. */
  readonly description?: ReactNode;
  /** Buttons at the top right: the main act last. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The head of every page, and the title of the window. */
export function PageLayout({ title, description, actions, children }: PageLayoutProps) {
  useEffect(() => {
    document.title = `${title} · Threat Protection`;
  }, [title]);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <div>
          <h1 className={classes.title}>{title}</h1>
          {description !== undefined && <p className={classes.description}>{description}</p>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}
