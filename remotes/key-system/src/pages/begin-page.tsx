import { brokenPartIn } from '@app/contracts/carried';
import { usualRunSchema } from '@app/contracts/key-system-schemas';
import { Button } from '@app/design-system/button';
import { Page } from '@app/design-system/page';
import { StickyAction } from '@app/design-system/sticky-action';
import { callApi, Link, useLocation, useQuery, useSearchParams, useVisitor } from '@app/platform';
import { appLinks } from '../features/device/app-links.ts';
import { askForApp } from '../features/device/ask-for-app.ts';
import { BeginPicture } from '../features/device/begin-picture.tsx';
import { NoDevice } from '../features/device/no-device.tsx';
import { PlatformIcon } from '../features/device/platform-icon.tsx';
import { RefusalNotice } from '../features/run/refusal-notice.tsx';
import { refusalOf } from '../features/run/refusals.ts';
import { APP_NAMES, appOf, USUAL_STEPS } from '../features/run/run-address.ts';
import { Split } from '../features/run/split.tsx';
import { UsualTime } from '../features/run/usual-time.tsx';
import { NoScript } from '../no-script.tsx';
import { t } from '../words.ts';
import { t as tell } from '../features/device/words.ts';
import css from './begin-page.module.css';

/** The code with which the API refuses a broken part of the device in an address. */
const BROKEN = { hwid: 'KS_HWID', zone: 'KS_ZONE' } as const;

/**
 * Stands in place of any page of a run, for a visitor whose address names no device, or a broken one, or one without a
 * zone whose run was not begun here: a run begins in the app.
 */
export function BeginPage() {
  const app = appOf(useLocation().pathname);
  const { os } = useVisitor();
  const [query] = useSearchParams();
  const path = `/api/keysystem/usual-run?app=${app}`;
  const { data: { usualRunMs } = {} } = useQuery(path, (signal) => callApi(usualRunSchema, path, { signal }));
  const broken = brokenPartIn(query);
  const refusal = refusalOf(broken ? BROKEN[broken] : query.get('e'), query.get('until'));

  return (
    <Page compact eyebrow={APP_NAMES[app]} heading={tell('begin.title')} lead={tell('begin.lead')}>
      <Split
        beside={<BeginPicture app={app} name={APP_NAMES[app]} of={USUAL_STEPS[app]} />}
        foot={
          <>
            <Link className={css.noApp} to={appLinks(app).getFrom}>
              {tell('begin.noApp')}
            </Link>
            <NoDevice>
              <PlatformIcon os={os} />
            </NoDevice>
          </>
        }
      >
        {refusal && <RefusalNotice refusal={refusal} />}
        <div className={css.numbers}>
          <ul className={css.facts}>
            <li>{tell('begin.free')}</li>
            <li>{tell('begin.steps', { of: USUAL_STEPS[app] })}</li>
            <li>{tell('begin.works')}</li>
          </ul>
          <UsualTime ms={usualRunMs} />
        </div>
        <NoScript />
        <StickyAction inPlace>
          <Button wide onClick={() => void askForApp(app)}>
            {t('getkey.getKey')}
          </Button>
        </StickyAction>
      </Split>
    </Page>
  );
}
