/** An element that fetches code or styles of a unit. */
type ChunkElement = HTMLScriptElement | HTMLLinkElement;

declare global {
  /** Called by the runtime of every unit, with each element before it is put into the page. */
  var chunkElementCreated: ((element: ChunkElement) => void) | undefined;
}

const tries = new Map<string, number>();
const pending = new Set<ChunkElement>();

/**
 * Takes note of an element. From the second try on it asks under another address,
 * since a browser may answer the old one from the failure it remembers.
 */
export function watchChunkElement(element: ChunkElement): void {
  const url = urlOf(element);
  const earlier = tries.get(url) ?? 0;
  tries.set(url, earlier + 1);
  if (earlier > 0) setUrl(element, `${url}?retry=${earlier}`);

  pending.add(element);
  element.addEventListener('load', () => pending.delete(element));
  element.addEventListener('error', () => pending.delete(element));
}

/** Ends the wait for everything that has not answered: to its loader each fails with an event named `timeout`. */
export function expirePendingChunks(): void {
  for (const element of pending) {
    pending.delete(element);
    element.onerror?.(new Event('timeout'));
  }
}

function urlOf(element: ChunkElement): string {
  return element instanceof HTMLScriptElement ? element.src : element.href;
}

function setUrl(element: ChunkElement, url: string): void {
  if (element instanceof HTMLScriptElement) element.src = url;
  else element.href = url;
}
