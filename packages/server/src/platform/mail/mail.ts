/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text with line feeds. */
  readonly text: string;
}
