declare module '@devicefarmer/adbkit-apkreader/lib/apkreader/parser/binaryxml.js' {
  interface BinaryXmlAttribute {
    readonly name: string | undefined;
    readonly value: string | null | undefined;
    readonly typedValue: { readonly value: unknown };
  }

  interface BinaryXmlElement {
    readonly nodeName: string | undefined;
    readonly attributes?: readonly BinaryXmlAttribute[];
    readonly childNodes?: readonly BinaryXmlElement[];
  }

  /** Parses Android's binary XML. Throws on invalid input, and has no bounds. */
  class BinaryXmlParser {
    constructor(buffer: Buffer);
    parse(): BinaryXmlElement | null;
  }

  export = BinaryXmlParser;
}
