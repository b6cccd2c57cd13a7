declare global {
  /** The last click on a button in a page that did not work yet. The document's own script notes it. */
  var pressedEarly: MouseEvent | undefined;

  interface HTMLInputElement {
    /** Whether the visitor chose it in a page that did not work yet. The script of an early link notes it. */
    wasChosen?: unknown;
  }
}

/**
 * Tells a page what was typed, chosen and clicked before it worked. React leaves texts and choices in the fields, but the
 * state of the page does not know them, and would overwrite them with the next render. Call it in the commit that
 * hydrates the page.
 */
export function replayInput(page: HTMLElement): void {
  const click = globalThis.pressedEarly;
  globalThis.pressedEarly = undefined;

  const changes = [...page.querySelectorAll('input, textarea, select')].map(findChange);
  // What was changed is read in the commit, before a render overwrites it, and told after it: in the commit, React cannot
  // render what the fields tell.
  queueMicrotask(() => {
    for (const replay of changes) replay?.();
  });
  // A click whose event is still under way has hydrated the page at once, and reaches it.
  if (click?.eventPhase === Event.NONE) setTimeout(() => replayClick(page, click));
}

function replayClick(page: HTMLElement, { target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest('button') : null;
  // A form with a method is on its way already.
  if (button && page.contains(button) && !button.matches('form[method] [type="submit"]')) button.click();
}

/** Finds what was changed in a field. Returns what replays it; undefined when nothing was. */
function findChange(field: Element): (() => void) | undefined {
  if (field instanceof HTMLSelectElement) return findChoice(field);
  if (field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)) return findCheck(field);
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return findText(field);
  return undefined;
}

function findChoice(field: HTMLSelectElement) {
  const { value } = field;
  const isChanged = [...field.options].some((option) => option.selected !== option.hasAttribute('selected'));
  if (!isChanged) return undefined;

  return () => {
    field.value = value;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  };
}

/** A visitor may also have chosen what React has rendered, after an early script had chosen what the address names. */
function findCheck(field: HTMLInputElement) {
  const { checked } = field;
  if (checked === field.defaultChecked && !(checked && field.wasChosen)) return undefined;
  // The one that was chosen instead tells it.
  if (field.type === 'radio' && !checked) return undefined;

  return () => {
    field.checked = !checked;
    field.click();
  };
}

/** React compares the text with the one that was set through the field, so it is set to what React has rendered first. */
function findText(field: HTMLInputElement | HTMLTextAreaElement) {
  const typed = field.value;
  if (typed === field.defaultValue || field.type === 'file') return undefined;
  const caret = document.activeElement === field ? [field.selectionStart, field.selectionEnd] : undefined;

  return () => {
    field.value = field.defaultValue;
    const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, typed);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    // Later, when the page has rendered the text. A visitor who has typed on meanwhile has the right caret.
    if (caret) setTimeout(() => field.value === typed && restoreCaret(field, caret));
  };
}

/** Fields of some types have no caret that a script may set. */
function restoreCaret(
  field: HTMLInputElement | HTMLTextAreaElement,
  [start, end]: (number | null | undefined)[],
): void {
  if (start !== null && start !== undefined) field.setSelectionRange(start, end ?? start);
}
