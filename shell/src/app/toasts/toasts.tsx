import { useNoticeStore } from '@app/platform';
import { useEffect, useSyncExternalStore } from 'react';
import { toast, ToastContainer } from 'react-toastify/unstyled';
import 'react-toastify/ReactToastify.css';
import './toasts.css';
import { TOAST_STAYS_MS } from '../../features/purchase-toasts/purchase-loop.ts';
import { usePurchaseFeed } from '../../features/purchase-toasts/use-purchase-feed.tsx';
import { t } from '../../words.ts';

const NOTICES = 'notices';
const PURCHASES = 'purchases';

/** Where a thumb does the pointing, or the window is at most 768 px wide. */
const SMALL = '(max-width: 768px), (pointer: coarse)';

/** The two places of toasts: one for what the site has to say, one for the purchases that pass by. */
export function Toasts() {
  const isSmall = useSyncExternalStore(subscribeToSmall, () => matchMedia(SMALL).matches);
  useNotices();
  usePurchaseFeed(PURCHASES);

  return (
    <>
      <ToastContainer
        containerId={NOTICES}
        position="top-right"
        autoClose={TOAST_STAYS_MS}
        pauseOnHover
        pauseOnFocusLoss
        theme="dark"
        aria-label={t('toasts.notices')}
      />
      <ToastContainer
        containerId={PURCHASES}
        position={isSmall ? 'top-center' : 'bottom-left'}
        autoClose={TOAST_STAYS_MS}
        limit={1}
        hideProgressBar
        draggable={false}
        theme="dark"
        aria-label={t('toasts.purchases')}
      />
    </>
  );
}

/** Shows what the units have to tell, in the order in which they told it. */
function useNotices() {
  const waiting = useNoticeStore((store) => store.waiting);

  useEffect(() => {
    if (waiting.length === 0) return;

    for (const text of waiting) toast(text, { containerId: NOTICES });
    useNoticeStore.getState().shown();
  }, [waiting]);
}

function subscribeToSmall(onChange: () => void) {
  const query = matchMedia(SMALL);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
