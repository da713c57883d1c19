/** A labelled piece of content. */
export interface Row {
  readonly kind: 'url' | 'text';
  /** The name of its file without extensions, such as `sms`. */
  readonly file: string;
  readonly content: string;
  readonly threat: boolean;
  /** As written in the data: `smishing`, `1`. */
  readonly label: string;
  readonly source: string;
  /** ISO 8601, at least a day, if known. */
  readonly date?: string;
}
