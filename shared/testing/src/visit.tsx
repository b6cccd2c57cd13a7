import { ConfirmHost } from '@app/design-system/confirm-host';
import type { SiteSettings } from '@app/contracts/site-settings';
import {
  notePageSettled,
  provideSiteSettings,
  Router,
  useLocation,
  useToastStore,
  type RemoteModule,
} from '@app/platform';
import { act, cleanup, render } from '@testing-library/react';
import { lazy, Suspense, type ComponentType } from 'react';
import { vi } from 'vitest';
import { SITE_SETTINGS } from './site-settings.ts';

/** Call it before each test. The clock stands still until `pass` moves it. */
export function openBrowser(now: number, settings: Partial<SiteSettings> = {}): void {
  vi.useFakeTimers({ now });
  provideSiteSettings({ ...SITE_SETTINGS, ...settings });
  // What a test renders works at once.
  notePageSettled();
}

/** Call it after each test: nothing is left for the next one. */
export function closeBrowser(): void {
  cleanup();
  useToastStore.getState().shown();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
}

type Answer = () => Response | Promise<Response>;

/**
 * Answers what a page asks for. All else is still on its way.
 * @param answers the answer to each path; what is changed in it later counts from then on
 * @returns the requests so far
 */
export function serve(answers: Record<string, Answer>) {
  const asked: { path: string; method: string | undefined; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit = {}) => {
    asked.push({ path, method, body });
    const answer = answers[path];
    return await (answer ? answer() : new Promise<Response>(() => undefined));
  });

  return asked;
}

/**
 * Opens an address in a browser that has all pages of a remote. When one page leads to another of it, that one is shown.
 * Resolves when what the page asks the server for has come.
 */
export async function visit(remote: RemoteModule, address: string): Promise<void> {
  const pageOf = new Map<string, ComponentType>();
  for (const [name, load] of Object.entries(remote.pages)) {
    pageOf.set(
      name,
      lazy(async () => ({ default: await load() })),
    );
  }

  function CurrentPage() {
    const { pathname } = useLocation();
    const Page = pageOf.get(remote.routes[pathname] ?? '');
    return Page ? <Page /> : <p>Another part of the site: {pathname}</p>;
  }

  history.replaceState(null, '', address);
  render(
    <Router>
      <Suspense>
        <CurrentPage />
      </Suspense>
      <ConfirmHost />
    </Router>,
  );
  await advanceTime(0);
}

/** Lets time pass, with all that happens meanwhile; code that is loaded comes at once. */
export async function advanceTime(ms: number): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(0);
  });
}
