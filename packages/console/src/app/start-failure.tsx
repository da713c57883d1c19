import { createRoot } from 'react-dom/client';
import { accountPage, CONSOLE_PATH, NoAccessError, tenantOfAddress } from '../session/index.ts';

/** Shows why the console did not start. */
export function renderStartFailure(root: HTMLElement, error: unknown): void {
  createRoot(root).render(<StartFailure error={error} />);
}

/** Instead of the console when it cannot start. It uses nothing that may have failed to load. */
function StartFailure({ error }: { error: unknown }) {
  const hasNoAccess = error instanceof NoAccessError;
  return (
    <main className="start-failure">
      <h1>{hasNoAccess ? 'You have no access to this tenant' : 'The console cannot reach the service'}</h1>
      <p>
        {hasNoAccess
          ? error.message || `You are not a member of ${tenantOfAddress()}. Ask an admin to invite you.`
          : 'Check your connection. The service may be restarting.'}
      </p>
      <p>
        <a href={hasNoAccess ? `${CONSOLE_PATH}/` : location.href}>
          {hasNoAccess ? 'Open your tenant' : 'Try again'}
        </a>
        {hasNoAccess && (
          <>
            {' or '}
            <a href={accountPage('account')}>see your tenants</a>
          </>
        )}
      </p>
    </main>
  );
}
