export type CallParameters = Readonly<Record<string, unknown>>;

/** The connection to a browser by the DevTools protocol. */
export interface Devtools {
  send<Result>(method: string, parameters?: CallParameters, sessionId?: string): Promise<Result>;
  close(): void;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Connects to the browser that listens on this port of the machine. */
export async function connectDevtools(port: number): Promise<Devtools> {
  const version = await fetch(`http://127.0.0.1:${port}/json/version`);
  const { webSocketDebuggerUrl } = (await version.json()) as { webSocketDebuggerUrl: string };
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('The browser refused the connection.'));
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  };
  let lastId = 0;
  return {
    send: <Result>(method: string, params: CallParameters = {}, sessionId?: string) =>
      new Promise<Result>((resolve, reject) => {
        lastId += 1;
        const id = lastId;
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id);
          if (error) reject(new Error(`${method}: ${error.message}`));
          else resolve(result as Result);
        });
        socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
      }),
    close: () => socket.close(),
  };
}
