/**
 * Which item is open after one was toggled. The browser reports toggles late and in any order: when another item
 * closes, the one that has opened in the meantime stays open.
 */
export function afterToggle(current: string | undefined, id: string, isOpen: boolean): string | undefined {
  if (isOpen) return id;

  return current === id ? undefined : current;
}
