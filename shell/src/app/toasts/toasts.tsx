import { useToastStore } from '@app/platform';
import { useEffect, useSyncExternalStore } from 'react';
import { toast, ToastContainer } from 'react-toastify/unstyled';
import 'react-toastify/ReactToastify.css';
import './toasts.css';
import { useIsMenuOpen } from '../../features/navbar/use-is-menu-open.ts';
import { useNewerVersion } from '../../features/newer-version/use-newer-version.tsx';
import { TOAST_STAYS_MS } from '../../features/purchase-toasts/purchase-loop.ts';
import { usePurchaseFeed } from '../../features/purchase-toasts/use-purchase-feed.tsx';
import { t } from './words.ts';

const MESSAGES = 'messages';
const PURCHASES = 'purchases';

/** A touch screen, or a window of at most 768 px. */
const SMALL = '(max-width: 768px), (pointer: coarse)';

/** The two containers of toasts: one for messages of the site, one for recent purchases. */
export function Toasts() {
  const isSmall = useSyncExternalStore(subscribeToSmall, () => matchMedia(SMALL).matches);
  const isMenuOpen = useIsMenuOpen();
  useMessages();
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
        aria-label={t('toasts.messages')}
      />
      <ToastContainer
        containerId={PURCHASES}
        position={isSmall ? 'top-center' : 'bottom-left'}
        autoClose={TOAST_STAYS_MS}
        className="purchases"
        closeButton={false}
        hideProgressBar
        draggable={false}
        theme="dark"
        aria-label={t('toasts.purchases')}
      />
    </>
  );
}

/** Shows the waiting messages of all units, the oldest first. */
function useMessages() {
  const waiting = useToastStore((store) => store.waiting);

  useEffect(() => {
    if (waiting.length === 0) return;

    for (const text of waiting) toast(text, { containerId: MESSAGES });
    useToastStore.getState().shown();
  }, [waiting]);
}

function subscribeToSmall(onChange: () => void) {
  const query = matchMedia(SMALL);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
