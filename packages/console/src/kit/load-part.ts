const PAUSE_MS = 2_000;

/** Loads a part of a page that can come later. Without a connection it tries again: the page must not fail for it. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
