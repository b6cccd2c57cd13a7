/** An element that fetches code or styles of a unit. */
type ChunkElement = HTMLScriptElement | HTMLLinkElement;

declare global {
  /** The bundler runtime of every unit calls this with each element, before it adds the element to the page. */
  var chunkElementCreated: ((element: ChunkElement) => void) | undefined;
}

const tries = new Map<string, number>();
const pending = new Set<ChunkElement>();

/**
 * Watches an element until it has loaded or failed. From the second try on it changes the address, because a browser
 * may repeat a failure from its cache.
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

/** Fails every element that has not answered yet: its loader gets an error event of the type `timeout`. */
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
