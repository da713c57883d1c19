import { setTimeout as wait } from 'node:timers/promises';
import type { CallParameters, Devtools } from './devtools.ts';

/** How often the page is asked whether something has come true. */
const ASK_EVERY_MS = 250;
const WAIT_AT_MOST_MS = 60_000;

const VIEWPORT = { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false };

/**
 * A page without the domain `Runtime` of the protocol, which Playwright enables. With it, V8 finds the position of each error that
 * is created, for which it parses the whole file again: 240 ms of the slowed processor while React is evaluated, for which no
 * reader waits.
 */
export interface UnwatchedPage {
  send<Result>(method: string, parameters?: CallParameters): Promise<Result>;
  /** Runs a script in each document before its own. */
  runFirst(script: string): Promise<void>;
  open(address: string): Promise<void>;
  evaluate<Value>(expression: string): Promise<Value>;
  /** Waits until an expression is truthy, and returns its value. */
  waitFor<Value>(expression: string): Promise<Value>;
  /** Turns the wheel of the mouse above a point, and returns when the page has taken it. */
  wheel(point: { x: number; y: number }, deltaY: number): Promise<void>;
  /** Presses a key that writes this character. */
  press(character: string): Promise<void>;
  close(): Promise<void>;
}

export async function openUnwatchedPage(
  devtools: Devtools,
  browserContextId: string,
): Promise<UnwatchedPage> {
  const { targetId } = await devtools.send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
  });
  const { sessionId } = await devtools.send<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  });
  const send: UnwatchedPage['send'] = (method, parameters) => devtools.send(method, parameters, sessionId);
  await send('Page.enable');
  await send('Emulation.setDeviceMetricsOverride', VIEWPORT);
  // Without the policy, so that the expressions of this measurement run in the page.
  await send('Page.setBypassCSP', { enabled: true });
  const evaluate: UnwatchedPage['evaluate'] = async <Value>(expression: string) => {
    const { result, exceptionDetails } = await send<{ result: { value: Value }; exceptionDetails?: object }>(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true },
    );
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  };
  return {
    send,
    evaluate,
    runFirst: async (source) => void (await send('Page.addScriptToEvaluateOnNewDocument', { source })),
    open: async (url) => void (await send('Page.navigate', { url })),
    waitFor: async <Value>(expression: string) => {
      for (const endMs = Date.now() + WAIT_AT_MOST_MS; Date.now() < endMs; await wait(ASK_EVERY_MS)) {
        const value = await evaluate<Value>(expression);
        if (value) return value;
      }
      throw new Error(`This did not come true: ${expression}`);
    },
    wheel: async (point, deltaY) =>
      void (await send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...point, deltaX: 0, deltaY })),
    press: async (character) => {
      const key = { key: character, text: character };
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
    },
    close: async () => void (await devtools.send('Target.closeTarget', { targetId })),
  };
}
