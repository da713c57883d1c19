/** A message of a stream of server-sent events (HTML standard, section 9.2). */
export interface StreamMessage {
  readonly id?: string;
  readonly event?: string;
  /** One line. */
  readonly data: string;
}

/** Returns the text of a message. No member may contain a line break: JSON text on one line has none. */
export function toMessageText({ id, event, data }: StreamMessage): string {
  const lines = [id === undefined ? '' : `id: ${id}\n`, event === undefined ? '' : `event: ${event}\n`];
  return `${lines.join('')}data: ${data}\n\n`;
}

/** Returns a comment, which keeps the connection open. With an id, a reader that reconnects continues there. */
export function toHeartbeatText(id: string): string {
  return `: heartbeat\nid: ${id}\n\n`;
}
