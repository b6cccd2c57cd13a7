/**
 * A script between the navbar and the page of a document that was rendered ahead of time. It lays out the navbar, while
 * the rest is still on its way, and leaves. The first layout is slow, because the browser looks for fonts and reads all
 * styles; Chromium begins it only when a document is complete. React finds the nodes that the server has rendered,
 * because the script is gone by then. The page's policy allows this very text.
 */
export const LAY_OUT_FRAME = 'document.currentScript.remove();document.body.offsetHeight';

/** Puts the script before the page. */
export function layOutFrameFirst(rendered: string): string {
  return rendered.replace('<main', `<script>${LAY_OUT_FRAME}</script><main`);
}
