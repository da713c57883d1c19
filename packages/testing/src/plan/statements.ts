import pg from 'pg';

/** The statements that the service has sent to PostgreSQL from this process. Threads and other processes are not seen. */
export const statements = new Set<string>();

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]) {
  const [first] = args as [string | { readonly text?: string } | undefined];
  const text = typeof first === 'string' ? first : first?.text;
  if (text !== undefined && !statements.has(text) && !isOfTest()) statements.add(text);
  return Reflect.apply(query, this, args);
} as typeof query;

/** Returns whether a test looks into the store itself. A statement of the service has its code between. */
function isOfTest(): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const frames = new Error().stack?.split('\n') ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  const caller = frames.find(
    (frame) => frame.includes('file://') && !/\/(?:node_modules|database|plan)\//.test(frame),
  );
  return caller !== undefined && /\.test\.ts|\/testing\//.test(caller);
}
