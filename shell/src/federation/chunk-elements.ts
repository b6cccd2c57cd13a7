import { faultAt } from './releases.ts';

/** An element that fetches code or styles of a unit. */
type ChunkElement = HTMLScriptElement | HTMLLinkElement;

declare global {
  /** The bundler runtime of every unit calls this with each element, before it adds the element to the page. */
  var chunkElementCreated: ((element: ChunkElement) => void) | undefined;
}

/** How long after the visitor has begun to leave the page may still be there: a download begins as a page does. */
const LEAVE_TIMEOUT_MS = 3000;

const requestCounts = new Map<string, number>();
const pendingChunks = new Set<ChunkElement>();

/** What asks again for the files whose requests the browser has cancelled because the visitor leaves. */
const cancelledRetries: (() => void)[] = [];
let isLeaving = false;

window.addEventListener('pagehide', onLeave);
window.addEventListener('pageshow', onStay);

/**
 * Watches an element until it has loaded or failed. From the second try on it changes the address, because a browser
 * may repeat a failure from its cache, and waits for a request that has got no answer; also for a fault that QA simulates.
 * Call it before the element gets handlers of its own: a cancelled request is kept from them.
 */
export function watchChunkElement(element: ChunkElement): void {
  const url = urlOf(element);
  if (isInDocument(url)) markLoaded(element);
  else watchRequest(element, url);
}

function watchRequest(element: ChunkElement, url: string): void {
  const earlier = requestCounts.get(url) ?? 0;
  requestCounts.set(url, earlier + 1);
  const query = new URLSearchParams();
  const fault = faultAt(url);
  if (fault) query.set('fault', fault);
  if (earlier > 0) query.set('retry', String(earlier));
  setUrl(element, `${url}?${query}`.replace(/\?$/, ''));

  pendingChunks.add(element);
  // WebKit cancels requests before `pagehide`. Firefox keeps no page that listens, so none does once its code is there.
  window.addEventListener('beforeunload', onLeave);
  element.addEventListener('load', () => removePending(element));
  element.addEventListener('error', (event) => {
    if (!isLeaving) {
      removePending(element);
      return;
    }

    event.stopImmediatePropagation();
    cancelledRetries.push(() => removePending(element) && requestAgain(element, url));
  });
}

/** Returns whether it was waited for. */
function removePending(element: ChunkElement): boolean {
  const wasPending = pendingChunks.delete(element);
  if (pendingChunks.size === 0) window.removeEventListener('beforeunload', onLeave);
  return wasPending;
}

function onLeave(): void {
  isLeaving = true;
  setTimeout(onStay, LEAVE_TIMEOUT_MS);
}

function onStay(): void {
  isLeaving = false;
  for (const ask of cancelledRetries.splice(0)) ask();
}

/** A script asks once, so another element takes the place of the one whose request was cancelled. */
function requestAgain(element: ChunkElement, url: string): void {
  const again = document.createRange().createContextualFragment(element.outerHTML).firstChild as ChunkElement;
  watchRequest(again, url);
  Object.assign(again, { onload: element.onload, onerror: element.onerror });
  element.replaceWith(again);
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
  for (const element of pendingChunks) {
    removePending(element);
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
