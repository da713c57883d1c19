import { type Budget, isTimeUp } from './file-limits.ts';

const MOST_PAGES = 20;

/**
 * Reads the words of a PDF document with pdf.js: without eval, without the network, without fonts of the system.
 * Undefined when they cannot be read.
 *
 * The library does not give way while it works on a page. Forms are blanked out beforehand, because a dozen that draw each
 * other ten times each would keep it busy for years; words in forms are therefore not read.
 */
export async function readPdfWords(raw: string, budget: Budget): Promise<string | undefined> {
  const withoutForms = raw.replace(/\/Form\b/g, '/Fxrm');
  const { getResolvedPDFJS } = await import('unpdf');
  const { getDocument } = await getResolvedPDFJS();
  const task = getDocument({
    data: new Uint8Array(Buffer.from(withoutForms, 'latin1')),
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    stopAtErrors: true,
    maxImageSize: 1,
    verbosity: 0,
  });
  try {
    const document = await task.promise;
    const words: string[] = [];
    let length = 0;
    for (let page = 1; page <= Math.min(document.numPages, MOST_PAGES); page++) {
      if (isTimeUp(budget) || length > budget.limits.textCharacters) break;
      const { items } = await (await document.getPage(page)).getTextContent();
      for (const item of items) {
        if (!('str' in item)) continue;
        words.push(item.hasEOL ? `${item.str}\n` : `${item.str} `);
        length += item.str.length;
      }
    }
    return words.join('').slice(0, budget.limits.textCharacters);
  } catch {
    return undefined;
  } finally {
    await task.destroy().catch(() => undefined);
  }
}
