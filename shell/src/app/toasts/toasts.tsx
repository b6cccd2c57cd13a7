import { useToastStore } from '@app/platform';
import { useEffect, useSyncExternalStore } from 'react';
import { toast, ToastContainer } from 'react-toastify/unstyled';
import 'react-toastify/ReactToastify.css';
import './toasts.css';
import { useNavbarStore } from '../../features/navbar/navbar-store.ts';
import { useNewerVersion } from '../../features/newer-version/use-newer-version.tsx';
import { TOAST_STAYS_MS } from '../../features/purchase-toasts/purchase-loop.ts';
import { usePurchaseFeed } from '../../features/purchase-toasts/use-purchase-feed.tsx';
import { findDock } from './find-dock.ts';
import { t } from './words.ts';

const MESSAGES = 'messages';
const PURCHASES = 'purchases';

/** A touch screen, or a window of at most 768 px. */
const SMALL = '(max-width: 768px), (pointer: coarse)';

/** The two containers of toasts: one for messages of the site, one for recent purchases. */
export function Toasts() {
  const isSmall = useSyncExternalStore(subscribeToSmall, () => matchMedia(SMALL).matches);
  const isMenuOpen = useNavbarStore(({ menu }) => menu !== 'closed');
  useMessages(isMenuOpen);
  useNewerVersion(MESSAGES, isMenuOpen);
  usePurchaseFeed(PURCHASES, { isMenuOpen, isDocked: isSmall });

  return (
    <>
      <ToastContainer
        containerId={MESSAGES}
        position="top-right"
        autoClose={TOAST_STAYS_MS}
        pauseOnHover
        pauseOnFocusLoss
        theme="dark"
        className={isMenuOpen ? 'beneath' : ''}
        aria-label={t('toasts.messages')}
      />
      <ToastContainer
        containerId={PURCHASES}
        position={isSmall ? 'top-center' : 'bottom-left'}
        autoClose={TOAST_STAYS_MS}
        className={isMenuOpen ? 'purchases beneath' : 'purchases'}
        closeButton={false}
        hideProgressBar
        draggable={false}
        theme="dark"
        aria-label={t('toasts.purchases')}
      />
    </>
  );
}

/** Shows the waiting messages of all units, the oldest first, once the menu is closed. */
function useMessages(isMenuOpen: boolean) {
  const waiting = useToastStore((store) => store.waiting);

  useEffect(() => {
    if (waiting.length === 0 || isMenuOpen) return;

    placeDock();
    for (const text of waiting) toast(text, { containerId: MESSAGES });
    useToastStore.getState().shown();
  }, [waiting, isMenuOpen]);

  useEffect(() => {
    const onScroll = () => {
      if (document.querySelector('.Toastify__toast')) placeDock();
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, []);
}

/** Docks the messages where they cover nothing that has to stay clear. */
function placeDock() {
  document.documentElement.style.setProperty('--dock', `${findDock()}px`);
}

function subscribeToSmall(onChange: () => void) {
  const query = matchMedia(SMALL);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
