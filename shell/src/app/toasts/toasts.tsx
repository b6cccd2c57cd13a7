import { useToastStore } from '@app/platform';
import { useEffect } from 'react';
import { toast, ToastContainer } from 'react-toastify/unstyled';
import 'react-toastify/ReactToastify.css';
import './toasts.css';
import { readResolution } from '../../federation/resolution.ts';
import { useNavbarStore } from '../../features/navbar/navbar-store.ts';
import { useNewerVersion } from '../../features/newer-version/use-newer-version.tsx';
import { TOAST_DURATION_MS, usePurchaseFeed } from '../../features/purchase-toasts/use-purchase-feed.tsx';
import { positionToasts } from './position-toasts.ts';
import { t } from './words.ts';

export function Toasts() {
  const isMenuOpen = useNavbarStore(({ menu }) => menu !== 'closed');
  useMessages(isMenuOpen);
  useNewerVersion(isMenuOpen);
  usePurchaseFeed(isMenuOpen);

  useEffect(() => {
    const onScroll = () => {
      if (document.querySelector('[class*="Toastify__toast-container--top"]')) positionToasts();
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, []);

  return (
    <ToastContainer
      position="top-right"
      autoClose={TOAST_DURATION_MS}
      pauseOnHover
      pauseOnFocusLoss
      role="status"
      theme="dark"
      className={isMenuOpen ? 'beneath' : ''}
      aria-label={t('toasts.messages')}
    />
  );
}

/** Shows waiting messages, once the menu is closed. The notice about versions stays. */
function useMessages(isMenuOpen: boolean) {
  const waiting = useToastStore((store) => store.waiting);

  useEffect(() => {
    if (waiting.length === 0 || isMenuOpen) return;

    positionToasts();
    const { qa } = readResolution();
    for (const text of waiting) toast(text, text === qa?.notice ? { autoClose: false, closeOnClick: true } : {});
    useToastStore.getState().shown();
  }, [waiting, isMenuOpen]);
}
