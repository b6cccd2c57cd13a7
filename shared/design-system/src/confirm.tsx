import { requestConfirm, type ConfirmOptions } from './confirm-request.ts';
import { t } from './words.ts';

/**
 * Opens the confirm dialog of the page.
 * @returns true for OK, false for Cancel and Escape
 */
export function showConfirm(
  options: Pick<ConfirmOptions, 'title' | 'text'> & Partial<ConfirmOptions>,
): Promise<boolean> {
  return requestConfirm({ ok: t('confirm.ok'), cancel: t('confirm.cancel'), ...options }, window);
}

/** Opens the dialog with only an OK button. Resolves when the visitor has closed it. */
export async function showAlert(options: { title: string; text: string; ok?: string }): Promise<void> {
  await requestConfirm({ ok: t('confirm.ok'), ...options }, window);
}
