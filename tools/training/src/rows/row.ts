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
  /** What a benign text is, where the data says so: `newsletter`. */
  readonly topic?: string;
  /** ISO 8601, at least a day, if known. */
  readonly date?: string;
}
