/** What a visitor fills in. */
const FIELDS = 'input, textarea, select';

/** What a visitor has to answer or to read now: an open dialog, or a part of a page that asks for no toasts beside it. */
const IN_THE_WAY = 'dialog[open], [data-holds-toasts]';

/** Whether a toast would lie over what the visitor has to do with now. */
export function isBusy(page: Document): boolean {
  return page.activeElement?.matches(FIELDS) === true || page.querySelector(IN_THE_WAY) !== null;
}
