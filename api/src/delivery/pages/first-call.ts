import { listCarried } from '@app/contracts/carried';

const PLACE = /^\{(\w+)(\??)\}$/;

/**
 * The address of what a page asks the server first (`firstCall` in its line), exactly as the page writes it.
 * @param query the query of the page's address
 * @returns undefined when the page's address lacks a part that the call needs, or has a malformed one
 */
export function fillFirstCall(call: string, query: URLSearchParams): string | undefined {
  const [path = '', asked] = call.split(/\?(.*)/);
  const wellFormed = new Map(listCarried((name) => query.get(name)));
  const filled = new URLSearchParams();

  for (const [name, value] of new URLSearchParams(asked)) {
    const [, part, mayLack] = PLACE.exec(value) ?? [];
    if (part === undefined) {
      filled.set(name, value);
      continue;
    }
    const found = query.get(part) ?? '';
    if (found === '' && mayLack) continue;
    if (found === '' || wellFormed.get(part) !== found) return undefined;
    filled.set(name, found);
  }
  return filled.size > 0 ? `${path}?${filled.toString()}` : path;
}
