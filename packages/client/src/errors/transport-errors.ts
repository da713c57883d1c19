import { ClientError } from './client-error.ts';

/** There was no answer: the connection failed or broke. A write may still have taken effect. */
export class ConnectionError extends ClientError {
  override readonly name: string = 'ConnectionError';
  readonly code = 'connection_failed';
}

/** There was no complete answer within `timeoutMs`. A write may still have taken effect. */
export class TimeoutError extends ClientError {
  override readonly name: string = 'TimeoutError';
  readonly code = 'timed_out';
}

/** Why an answer is not accepted as one of the service. */
export type UnexpectedAnswerCode =
  | 'answer_not_understood'
  | 'answer_too_large'
  | 'redirect_refused'
  | 'token_not_understood';

/** The answer is not in the form of the service: it may come from a proxy, a portal or another program. */
export class UnexpectedAnswerError extends ClientError {
  override readonly name: string = 'UnexpectedAnswerError';
  readonly code: UnexpectedAnswerCode;

  constructor(code: UnexpectedAnswerCode, message: string) {
    super(message);
    this.code = code;
  }
}
