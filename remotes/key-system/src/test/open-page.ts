import type { RunState } from '@app/contracts/key-system-schemas';
import { closeBrowser, openBrowser, visit } from '@app/testing/visit';
import { screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { noStepsPage } from '../pages/no-steps.tsx';
import remote from '../remote.ts';
import { RECAPTCHA, serveRecaptcha } from './fake-recaptcha.ts';
import { NOW, startServer, stateResponse, type Answer } from './run-server.ts';

/** What most pages of a run are opened with. */
export const DEVICE = '?hwid=device-1&zone=z1';

/** Call it once in a file of tests: each test has a browser of its own, at noon, with the captcha of a provider. */
export function openBrowserBeforeEach(): void {
  // Its code comes when it is first shown.
  beforeAll(async () => {
    await noStepsPage.preload();
  });
  beforeEach(() => {
    openBrowser(NOW, { captcha: RECAPTCHA });
    serveRecaptcha();
  });
  afterEach(closeBrowser);
}

/** Opens an address, and answers its calls: with a state of its device, or as is said. */
export async function open(address: string, answer: Partial<RunState> | Answer) {
  const server = startServer(typeof answer === 'function' ? answer : stateResponse(answer));
  await visit(remote, address);
  return server;
}

export const link = (words: string) => screen.getByText(words).closest('a')?.getAttribute('href');
export const notice = (title: string) => screen.getByText(title).closest<HTMLElement>('[role=status]')!;
