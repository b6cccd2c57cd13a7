import { buttonClass } from '@app/design-system/button';
import { showConfirm } from '@app/design-system/confirm';
import type { ReactNode } from 'react';
import { hasOpened } from './has-opened.ts';
import { leaveFor } from './leave.tsx';
import { t } from './words.ts';

interface AppAddress {
  /** The address that opens the app. It contains no data of the visitor, because other apps may use the same scheme. */
  href: string;
  /** The page with the download of the app. */
  getFrom: string;
}

let isWatched = false;

/** Opens an app by its address. When nothing opens, a dialog offers its download. */
export function launch(app: AppAddress): void {
  void helpUnlessOpened(app);
  window.location.assign(app.href);
}

/** A link that does the same as `launch`. It looks like a button. */
export function LaunchLink({
  children,
  kind = 'primary',
  ...app
}: AppAddress & { children: ReactNode; kind?: 'primary' | 'quiet' }) {
  return (
    <a className={buttonClass({ kind })} href={app.href} onClick={() => void helpUnlessOpened(app)}>
      {children}
    </a>
  );
}

/**
 * Shows the dialog when no app opens. Does nothing while an earlier call still waits. Does nothing for `https:`
 * addresses, which always open a page.
 */
async function helpUnlessOpened({ href, getFrom }: AppAddress): Promise<void> {
  if (isWatched || href.startsWith('https:')) return;

  isWatched = true;
  try {
    if (await hasOpened(window)) return;

    const wantsIt = await showConfirm({
      title: t('launch.title'),
      text: t('launch.text'),
      ok: t('launch.get'),
      cancel: t('launch.stay'),
    });
    if (wantsIt) await leaveFor(getFrom, getFrom);
  } finally {
    isWatched = false;
  }
}
