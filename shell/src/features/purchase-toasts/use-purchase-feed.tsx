import { useLocation, useNavigate } from '@app/platform';
import { useEffect } from 'react';
import { toast } from 'react-toastify/unstyled';
import { fetchPurchases } from './fetch-purchases.ts';
import { BETWEEN_TOASTS_MS, current } from './purchase-loop.ts';
import { usePurchaseStore } from './purchase-store.ts';
import { PurchaseToast } from './purchase-toast.tsx';
import { showsPurchases } from './toast-pages.ts';

/**
 * Shows a purchase every 8 s, on the pages that have them. A click on one leads to the resellers.
 * @param containerId the place of these toasts
 */
export function usePurchaseFeed(containerId: string): void {
  const navigate = useNavigate();
  const isShown = showsPurchases(useLocation().pathname);

  useEffect(() => {
    if (!isShown) return;

    const { loop, arrived } = usePurchaseStore.getState();
    if (loop.purchases.length === 0) void fetchPurchases().then(arrived);

    const timer = setInterval(() => {
      const store = usePurchaseStore.getState();
      const purchase = current(store.loop);
      if (!purchase) return;

      toast(<PurchaseToast purchase={purchase} />, { containerId, onClick: () => void navigate('/resellers') });
      store.shown();
    }, BETWEEN_TOASTS_MS);
    return () => {
      clearInterval(timer);
      toast.dismiss({ containerId });
    };
  }, [containerId, isShown, navigate]);
}
