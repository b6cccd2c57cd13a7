/**
 * The attribute of a link that works before the code of its page is there. Its value is the link's address, in which
 * parameters without a value, and `{app}`, stand for what the page's own address names. The document's script fills it.
 */
export const EARLY_LINK = 'data-early';
