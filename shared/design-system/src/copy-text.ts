/**
 * Copies a text to the clipboard. In-app browsers, and pages without https, have only `execCommand`.
 * @returns false when there is no access to the clipboard
 */
export async function copyText(text: string): Promise<boolean> {
  // Before any await: `execCommand` works only within the task of the click.
  if (!('clipboard' in navigator) || !navigator.clipboard) return copySelected(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Selects the text in an invisible field, and lets the browser copy what is selected. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.cssText = 'position:fixed;top:0;opacity:0';
  // Outside an open dialog nothing takes the focus.
  (before?.closest('dialog') ?? document.body).append(field);
  field.focus({ preventScroll: true });
  field.select();
  let isCopied = false;
  try {
    isCopied = document.execCommand('copy');
  } catch {
    // The same as a refusal.
  }
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isCopied;
}
