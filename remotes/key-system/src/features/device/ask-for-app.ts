import { confirm } from '@app/design-system/ask';
import { launch } from '@app/design-system/launch';
import type { AppId } from '@app/contracts/key-system';
import { t } from '../../words.ts';
import { appLinks } from './app-links.ts';

/** StepPrompt a visitor whose device is unknown to begin in the app, and opens it on OK. */
export async function askForApp(app: AppId): Promise<void> {
  const isAgreed = await confirm({ title: t('device.askTitle'), text: t('device.ask') });
  if (isAgreed) launch(appLinks(app));
}
