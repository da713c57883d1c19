/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text with line feeds. */
  readonly text: string;
  /** The same for a mail that is sent again, so that mail programs can show it once. Becomes part of the Message-ID. */
  readonly id?: string;
}
