import { launch } from '@app/brand-ui/launch';
import type { AppId } from '@app/contracts/key-system';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { showConfirm } from '@app/design-system/confirm';
import { t } from '../../words.ts';
import { appLinks } from './app-links.ts';

/** Asks a visitor whose device is unknown to begin in the app. Opens the app when the answer is OK. */
export async function askForApp(app: AppId, about: AppFacts | undefined): Promise<void> {
  const isAgreed = await showConfirm({ title: t('device.askTitle'), text: t('device.ask') });
  if (isAgreed) launch(appLinks(app, about));
}
