/**
 * A script in a document that was rendered ahead of time. It lays out what stands before it, and leaves. Chromium begins
 * the first layout only when a document is complete, and the first one is slow, because the browser looks for fonts and
 * reads all styles. In parts, none of them blocks a slow phone for long. React finds the nodes that the server has
 * rendered, because the script is gone by then. The page's policy allows this very text.
 */
export const LAY_OUT_PART = 'document.currentScript.remove();document.body.offsetHeight';

const SCRIPT = `<script>${LAY_OUT_PART}</script>`;

/** More than any page has. The markup comes from the code of a release, and each part makes it longer. */
const MOST_PARTS = 100;

/**
 * Has a page laid out in parts: the navbar, the header of the page, each section, the footer.
 * @param rendered the markup of the shell, with the page in it, as React writes it: `<` is nothing but a tag there
 */
export function layOutInParts(rendered: string): string {
  const header = rendered.indexOf('</header>', rendered.indexOf('<main'));
  let parts = 1;
  return rendered.replace(/<(?:main|section|footer)(?=[ >])|<\/header>/g, (tag, at) => {
    const isClosing = tag.startsWith('</');
    if (parts === MOST_PARTS || (isClosing && at !== header)) return tag;
    parts++;
    return isClosing ? tag + SCRIPT : SCRIPT + tag;
  });
}
