export type Channel = 'sms' | 'email' | 'call' | 'chat' | 'web';

/** How the content reached the person, if known. */
export interface ContentContext {
  readonly channel?: Channel;
  /** A phone number, a short code, a name or a mail address. */
  readonly sender?: string;
  /** Whether the person knows the sender: a contact, or someone with whom they have written before. */
  readonly knownSender?: boolean;
  /** Earlier messages of the conversation, the oldest first. Only their words are read, and only for a text. */
  readonly previous?: readonly string[];
}

/** A message, a mail or the transcript of a call. */
export interface TextContent {
  readonly type: 'text';
  readonly text: string;
  readonly context?: ContentContext;
}

export interface UrlContent {
  readonly type: 'url';
  readonly url: string;
  readonly context?: ContentContext;
}

/** An app as the system describes it. Hashes are in hex. */
export interface AppContent {
  readonly type: 'app';
  readonly packageName: string;
  readonly sha256?: string;
  readonly certificateSha256?: string;
  readonly permissions?: readonly string[];
  readonly context?: ContentContext;
}

/** The bytes of a file, or of a picture, sound or film whose origin is in question. */
export interface BytesContent {
  readonly type: 'file' | 'media';
  readonly bytes: Uint8Array;
  readonly filename?: string;
  readonly context?: ContentContext;
}

/** Content that can be analyzed at once, without reading a file format. */
export type PlainContent = TextContent | UrlContent | AppContent;

export type Content = PlainContent | BytesContent;
