import { buttonClass, ButtonRow } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import { siteSettings } from '@app/platform';
import { t } from '../../words.ts';

/** Stands where a step would, when the address does not say whose key it is to be. */
export function OpenInApp() {
  return (
    <>
      <Notice kind="warning" title={t('device.startInApp')}>
        {t('device.howTo')}
      </Notice>
      <ButtonRow>
        <a className={buttonClass()} href={siteSettings().launchUrl}>
          {t('device.openApp')}
        </a>
      </ButtonRow>
    </>
  );
}
