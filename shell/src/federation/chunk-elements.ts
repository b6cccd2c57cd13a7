import { faultAt } from './releases.ts';

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
 * may repeat a failure from its cache; also for a fault that QA simulates.
 */
export function watchChunkElement(element: ChunkElement): void {
  const url = urlOf(element);
  if (isInDocument(url)) return markLoaded(element);

  const earlier = tries.get(url) ?? 0;
  tries.set(url, earlier + 1);
  const query = new URLSearchParams();
  const fault = faultAt(url);
  if (fault) query.set('fault', fault);
  if (earlier > 0) query.set('retry', String(earlier));
  setUrl(element, `${url}?${query}`.replace(/\?$/, ''));

  pending.add(element);
  element.addEventListener('load', () => pending.delete(element));
  element.addEventListener('error', () => pending.delete(element));
}

/** Whether the document has the text of this stylesheet already. */
function isInDocument(url: string): boolean {
  const { pathname } = new URL(url, location.href);
  return document.querySelector(`style[data-href="${CSS.escape(pathname)}"]`) !== null;
}

/** Lets the bundler's runtime take a stylesheet for loaded, and the browser fetch nothing. */
function markLoaded(link: ChunkElement): void {
  link.removeAttribute('data-rspack-loading');
  link.removeAttribute('rel');
}

/** Fails every element that has not answered yet: its loader gets an error event of the type `timeout`. */
export function expirePendingChunks(): void {
  for (const element of pending) {
    pending.delete(element);
    // An event that was not dispatched has no target of its own.
    const event = Object.defineProperty(new Event('timeout'), 'target', { value: element });
    element.onerror?.(event);
  }
}

function urlOf(element: ChunkElement): string {
  return element instanceof HTMLScriptElement ? element.src : element.href;
}

/** The bundler's runtime looks for the address of a stylesheet in `src`, too, when it names what has failed. */
function setUrl(element: ChunkElement, url: string): void {
  Object.assign(element, element instanceof HTMLScriptElement ? { src: url } : { href: url, src: url });
}
