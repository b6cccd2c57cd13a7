import { screen } from '@testing-library/react';
import { vi } from 'vitest';

/**
 * The result of a check, once it is there. The import of the verifier and the platform's cryptography need many turns of
 * the event loop in real time, whatever the test's clock says. So the polls are cheap, which a query by role is not, and
 * only the time limit of the test ends them.
 */
export async function findResult(): Promise<HTMLElement> {
  await vi.waitUntil(() => document.querySelector('[aria-label="Result"]'), { timeout: 60_000 });
  return screen.getByRole('region', { name: 'Result' });
}
