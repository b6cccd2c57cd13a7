/**
 * Gives the focus to the page's heading, or to the page where it has none, so that a screen reader reads it out and Tab goes on from there.
 * @param anchor the id of a part of the page that is to have it instead, if the page has that part
 */
export function focusPage({ anchor, ...options }: FocusOptions & { anchor?: string } = {}): void {
  const main = document.querySelector('main');
  const part = anchor ? document.getElementById(anchor) : null;
  const target = part ?? main?.querySelector('h1') ?? main;
  if (!target) return;

  target.tabIndex = -1;
  target.focus(options);
}
