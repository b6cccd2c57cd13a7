/**
 * Copies a text to the clipboard.
 * @returns false when there is no access to the clipboard: on pages without https, or without the permission
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
