import { PAGES } from '@app/contracts/pages';
import { ERRORS } from '@app/contracts/errors';
import type { Problem } from '@app/contracts/problem';
import { Link } from '@app/platform';
import { t } from '../../words.ts';
import { Answer, Part, Text } from './part.tsx';
import css from './refusals-part.module.css';

const EXAMPLE: Problem = {
  type: `${PAGES.errors}#KS_LIMIT`,
  ...ERRORS.KS_LIMIT,
  code: 'KS_LIMIT',
  retryable: true,
  ref: '…',
  now: 1_800_000_000_000,
};

/** The form of every error answer, and links to more about errors. */
export function RefusalsPart() {
  return (
    <Part id="refusals" heading={t('dev.refusals')}>
      <Text>{t('dev.refusals.text')}</Text>
      <Answer>{EXAMPLE}</Answer>
      <Text>{t('dev.refusals.wait')}</Text>
      <Text>{t('dev.refusals.version')}</Text>
      <ul className={css.links}>
        <li>
          <Link className={css.link} to={PAGES.errors}>
            {t('dev.refusals.list')}
          </Link>
        </li>
        <li>
          <a className={css.link} href="/openapi.json">
            {t('dev.reference')}
          </a>
        </li>
        <li>
          <Link className={css.link} to={PAGES.checkKey}>
            {t('dev.tryKey')}
          </Link>
        </li>
      </ul>
    </Part>
  );
}
