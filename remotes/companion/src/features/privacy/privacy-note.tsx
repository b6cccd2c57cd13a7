import { COMPANION } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import { Icon } from '@app/design-system/icon';
import texts from '@app/design-system/text.module.css';
import { Link } from '@app/platform';
import { t } from '../../words.ts';
import css from './privacy-note.module.css';

export function PrivacyNote() {
  return (
    <div className={css.note}>
      <span className={css.sign}>
        <Icon name="shield" size={32} />
      </span>
      <p className={css.text}>{t('privacy.text', { app: COMPANION.label })}</p>
      <p className={css.site}>
        {t('privacy.site')}{' '}
        <Link className={texts.link} to={PAGES.privacyPolicy}>
          {t('privacy.go')}
        </Link>
      </p>
    </div>
  );
}
