import { buttonClass } from '@app/design-system/button';
import { showConfirm } from '@app/design-system/confirm';
import type { ReactNode } from 'react';
import { navigateTo } from './leave.tsx';
import { t } from './words.ts';

interface AppAddress {
  /** The address that opens the app. It contains no data of the visitor, because other apps may use the same scheme. */
  href: string;
  getFrom: string;
}

let isLaunchPending = false;

/** Opens an app by its address. When nothing opens, a dialog offers its download. */
export function launch(app: AppAddress): void {
  void helpUnlessOpened(app);
  window.location.assign(app.href);
}

/** A link that does the same as `launch`. It looks like a button. */
export function LaunchLink({
  children,
  kind = 'primary',
  wide = false,
  ...app
}: AppAddress & { children: ReactNode; kind?: 'primary' | 'quiet'; wide?: boolean }) {
  return (
    <a className={buttonClass({ kind, wide })} href={app.href} onClick={() => void helpUnlessOpened(app)}>
      {children}
    </a>
  );
}

/**
 * Shows the dialog when no app opens. Does nothing while an earlier call still waits. Does nothing for `https:`
 * addresses, which always open a page.
 */
async function helpUnlessOpened({ href, getFrom }: AppAddress): Promise<void> {
  if (isLaunchPending || href.startsWith('https:')) return;

  isLaunchPending = true;
  try {
    if (await hasOpened(window)) return;

    const wantsIt = await showConfirm({
      title: t('launch.title'),
      text: t('launch.text'),
      ok: t('launch.get'),
      cancel: t('launch.stay'),
    });
    if (wantsIt) await navigateTo(getFrom, getFrom);
  } finally {
    isLaunchPending = false;
  }
}

/** An app that has not opened after this time counts as not opened. */
const APP_OPEN_TIMEOUT_MS = 1500;

/**
 * Resolves with whether an app has opened: the page has lost the focus or was hidden. Browsers give no other sign.
 * @param page the window; a plain event target in tests
 */
export function hasOpened(page: EventTarget): Promise<boolean> {
  return new Promise((resolve) => {
    const watch = new AbortController();
    const timer = setTimeout(() => settle(false), APP_OPEN_TIMEOUT_MS);

    function settle(isOpen: boolean) {
      clearTimeout(timer);
      watch.abort();
      resolve(isOpen);
    }
    for (const event of ['blur', 'pagehide', 'visibilitychange'])
      page.addEventListener(event, () => settle(true), { signal: watch.signal });
  });
}
