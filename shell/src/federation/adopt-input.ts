declare global {
  /** The button that was pressed last in a page that did not work yet. The document's own script notes it. */
  var pressedEarly: HTMLElement | undefined;
}

/**
 * Tells a page what was typed, chosen and pressed before it worked. React leaves texts and choices in the fields, but the
 * state of the page does not know them, and would undo them with the next render.
 */
export function adoptInput(page: HTMLElement): void {
  adoptFields(page);

  const pressed = globalThis.pressedEarly;
  globalThis.pressedEarly = undefined;
  // Later, when the state has the texts.
  if (pressed && page.contains(pressed)) setTimeout(() => pressed.click());
}

function adoptFields(page: HTMLElement): void {
  for (const field of page.querySelectorAll('input, textarea, select')) {
    if (field instanceof HTMLSelectElement) adoptChoice(field);
    else if (field instanceof HTMLInputElement && isCheck(field)) adoptCheck(field);
    else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) adoptText(field);
  }
}

function isCheck({ type }: HTMLInputElement): boolean {
  return type === 'checkbox' || type === 'radio';
}

function adoptChoice(field: HTMLSelectElement): void {
  const isChanged = [...field.options].some((option) => option.selected !== option.hasAttribute('selected'));
  if (isChanged) field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** React takes a click for a change when the state differs from the one that it knows. */
function adoptCheck(field: HTMLInputElement): void {
  if (field.checked === field.defaultChecked) return;

  field.checked = field.defaultChecked;
  field.click();
}

/** React compares the text with the one that was set through the field, so it is set to what React has rendered first. */
function adoptText(field: HTMLInputElement | HTMLTextAreaElement): void {
  const typed = field.value;
  if (typed === field.defaultValue || field.type === 'file') return;

  const focused = document.activeElement === field ? [field.selectionStart, field.selectionEnd] : undefined;
  field.value = field.defaultValue;
  const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, typed);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  // Later, when the page has rendered the text.
  if (focused) setTimeout(() => restoreCaret(field, focused));
}

/** Fields of some types have no caret that a script may set. */
function restoreCaret(
  field: HTMLInputElement | HTMLTextAreaElement,
  [start, end]: (number | null | undefined)[],
): void {
  if (start !== null && start !== undefined) field.setSelectionRange(start, end ?? start);
}
