import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client } from '@tps/client';
import { useRef } from 'react';
import { useClient } from '../../session/index.ts';
import { wordsOfError } from '../states/error-words.ts';
import { type Attempt, isAnswerLost, newAttempt } from './attempt.ts';
import { leadThroughSignIn } from './lead-through-sign-in.ts';

export interface ActOptions<Input, Result> {
  /** A repeat runs the function of the first try, which knows the object as it was before that. */
  readonly run: (client: Client, input: Input, attempt: Attempt) => Promise<Result>;
  /** What is read again when it is done. Default: everything on the page. */
  readonly changes?: readonly QueryKey[];
  /** Said when it is done: `Webhook created`. */
  readonly done?: string | ((result: Result, input: Input) => string);
  readonly onDone?: (result: Result, input: Input) => void;
  /** Shows the error by itself instead of in a notification. */
  readonly showsError?: boolean;
  /** The draft of the form that sends the change. It is cleared when the change is done; the form shows the error. */
  readonly draft?: { readonly clear: () => void };
}

/** A change whose answer was lost. */
interface LostTry<Input, Result> {
  /** As JSON. */
  readonly input: string | undefined;
  readonly attempt: Attempt;
  readonly run: ActOptions<Input, Result>['run'];
}

/**
 * Creates a change of the service: its progress, its outcome, and what is read again after it. Where the service demands a
 * recent sign-in, leads through it and back to this address; forms keep their content in a draft. When an answer was lost, the
 * next try with the same input is a repeat.
 */
export function useAct<Input = void, Result = unknown>(options: ActOptions<Input, Result>) {
  const client = useClient();
  const queries = useQueryClient();
  const lost = useRef<LostTry<Input, Result>>(null);
  const run = async (input: Input): Promise<Result> => {
    const text: string | undefined = JSON.stringify(input);
    const before = lost.current?.input === text ? lost.current : null;
    lost.current = null;
    const attempt = before?.attempt ?? newAttempt(Date.now());
    const send = before?.run ?? options.run;
    try {
      return await send(client, input, attempt);
    } catch (error) {
      if (isAnswerLost(error)) {
        lost.current = { input: text, attempt: { ...attempt, isRepeat: true }, run: send };
      }
      throw error;
    }
  };
  return useMutation<Result, Error, Input>({
    mutationFn: run,
    onSuccess: async (result, input) => {
      const { done } = options;
      if (done !== undefined) {
        notifications.show({
          message: typeof done === 'string' ? done : done(result, input),
          color: 'accent',
        });
      }
      options.draft?.clear();
      options.onDone?.(result, input);
      // Most changes are recorded, so the history of an object is read again after each.
      const keys = [...(options.changes ?? [[]]), ['history']];
      await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })));
    },
    onError: (error) => {
      if (leadThroughSignIn(error)) return;
      if (options.showsError || options.draft) return;
      const { title, message } = wordsOfError(error);
      notifications.show({ title, message, color: 'red', autoClose: false, withCloseButton: true });
    },
  });
}
