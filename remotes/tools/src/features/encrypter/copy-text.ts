/** Pages without https have no clipboard, and a browser may refuse it: either way the text is not there. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
