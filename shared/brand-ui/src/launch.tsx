import { buttonClass } from '@app/design-system/button';
import { showConfirm } from '@app/design-system/confirm';
import type { ReactNode } from 'react';
import { hasOpened } from './has-opened.ts';
import { t } from './words.ts';

interface AppAddress {
  /** What opens the app. It says nothing of the visitor: whatever app took the scheme would read it. */
  href: string;
  /** The page where one gets the app. */
  getFrom: string;
}

let isWatched = false;

/** Opens an app by its address; where nothing opens, says what to do. */
export function launch(app: AppAddress): void {
  void helpUnlessOpened(app);
  window.location.assign(app.href);
}

/** The same behind a link that looks like a button. */
export function LaunchLink({ children, ...app }: AppAddress & { children: ReactNode }) {
  return (
    <a className={buttonClass()} href={app.href} onClick={() => void helpUnlessOpened(app)}>
      {children}
    </a>
  );
}

/** A second click while the first is watched asks nothing more; an address of the web opens something in any case. */
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
    if (wantsIt) window.location.assign(getFrom);
  } finally {
    isWatched = false;
  }
}
