import { PAGES } from '@app/contracts/pages';
import { ERRORS } from '@app/contracts/errors';
import type { Problem } from '@app/contracts/problem';
import { Link } from '@app/platform';
import { t } from './words.ts';
import { Answer } from './answer.tsx';
import { Part, Text } from './part.tsx';
import { Sample } from './sample.tsx';
import { SITE } from './snippets.ts';
import css from './refusals-part.module.css';

/** A call that is refused: the device is missing. */
const REFUSED = '/api/key?app=main';

const EXAMPLE: Problem = {
  type: `${SITE}${PAGES.errors}#KS_HWID`,
  ...ERRORS.KS_HWID,
  code: 'KS_HWID',
  retryable: false,
  ref: '…',
  now: 1_800_000_000_000,
};

/** The form of every error answer, and links to more about errors. */
export function RefusalsPart() {
  return (
    <Part
      id="refusals"
      heading={t('dev.refusals')}
      code={
        <>
          <Sample call={{ path: REFUSED }} />
          <Answer example={EXAMPLE} path={REFUSED} />
        </>
      }
    >
      <Text>{t('dev.refusals.text')}</Text>
      <Text>{t('dev.refusals.wait')}</Text>
      <Text>{t('dev.refusals.version')}</Text>
      <ul>
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
