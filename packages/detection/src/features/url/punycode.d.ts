/** The package, not Node's deprecated module of the same name, which `punycode` alone would load. */
declare module 'punycode/punycode.js' {
  const punycode: {
    /** @throws RangeError for what is not valid Punycode */
    decode(input: string): string;
  };
  export = punycode;
}
