/**
 * Which item is open once one of them was toggled. The browser reports late and in any order: that another
 * item closed must not close the one that opened meanwhile.
 */
export function afterToggle(current: string | undefined, id: string, isOpen: boolean): string | undefined {
  if (isOpen) return id;

  return current === id ? undefined : current;
}
