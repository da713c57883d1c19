import { Button, Group, Text } from '@mantine/core';
import { RateLimitedError } from '@tps/client';
import { useEffect, useRef, useState } from 'react';
import { wordsOfError } from '../../states/error-words.ts';
import classes from './list-error.module.css';

const DEFAULT_WAIT_MS = 10_000;

interface ListErrorProps {
  readonly error: Error;
  readonly retry: () => void;
}

/** Why a list could not be read, beside what was read before. After a rate limit it says when it tries again, and does. */
export function ListError({ error, retry }: ListErrorProps) {
  const { title, message, requestId } = wordsOfError(error);
  const leftS = useRetryAfter(error, retry);
  return (
    <div className={classes.error} role="alert">
      <div>
        <Text size="sm" fw={600}>
          {leftS === undefined ? title : `Too many requests. Trying again in ${leftS} s.`}
        </Text>
        <Text size="sm">{message}</Text>
        {requestId !== undefined && (
          <Text size="xs" c="dimmed">
            Request {requestId}
          </Text>
        )}
      </div>
      <Group>
        <Button size="compact-sm" variant="default" onClick={retry}>
          Try again
        </Button>
      </Group>
    </div>
  );
}

/** Tries again when the service said that it may. Returns the seconds until then; undefined for other errors. */
function useRetryAfter(error: Error, retry: () => void): number | undefined {
  const waitS =
    error instanceof RateLimitedError ? Math.ceil((error.retryAfterMs ?? DEFAULT_WAIT_MS) / 1000) : undefined;
  const [left, setLeft] = useState({ error, s: waitS });
  const run = useRef(retry);
  run.current = retry;
  useEffect(() => {
    if (waitS === undefined) return;
    let s = waitS;
    setLeft({ error, s });
    const timer = setInterval(() => {
      s -= 1;
      setLeft({ error, s: Math.max(0, s) });
      if (s > 0) return;
      clearInterval(timer);
      run.current();
    }, 1000);
    return () => clearInterval(timer);
  }, [error, waitS]);
  return left.error === error ? left.s : waitS;
}
