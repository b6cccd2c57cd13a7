import { findInvalidParam } from '@app/contracts/device-params';
import { usualRunSchema } from '@app/contracts/key-system-schemas';
import { Button } from '@app/design-system/button';
import { StickyAction } from '@app/design-system/sticky-action';
import { isSpecified } from '@app/contracts/key-system';
import {
  ApiError,
  callApi,
  Link,
  useIsHydrated,
  useQuery,
  useSearchParams,
  useVisitor,
  withQuery,
} from '@app/platform';
import { appLinks, askForApp } from '../features/device/app-links.ts';
import { NoDevice, PlatformIcon } from '../features/device/device.tsx';
import { BeginPicture } from '../features/device/begin-picture.tsx';
import { AppPage, Split } from '../features/run/layouts.tsx';
import { RefusalNotice, refusalIn, refusalOf } from '../features/run/refusals.tsx';
import { nameOfApp, useApp, usualSteps } from '../features/run/run-address.ts';
import { LOADING } from '../features/run/run-state.ts';
import { UsualTime } from '../features/run/usual-time.tsx';
import { NoScript } from '../no-script.tsx';
import { t } from '../words.ts';
import { t as tDevice } from '../features/device/words.ts';
import css from './begin-page.module.css';
import { NoSteps } from './no-steps.tsx';

/** The code with which the API refuses a broken part of the device in an address. */
const REFUSAL_OF_PARAM = { hwid: 'KS_HWID', zone: 'KS_ZONE' } as const;

const BLANK_DEVICE_ID = '\u2007'.repeat(7);

/**
 * Stands in place of any page of a run, for a visitor whose address names no device, or a broken one, or one without a
 * zone whose run was not begun here: a run begins in the app.
 */
export function BeginPage() {
  const app = useApp();
  const { os } = useVisitor();
  const [query] = useSearchParams();
  // The first render does not know which registered app it is.
  const isAppKnown = useIsHydrated() || isSpecified(app);
  const path = withQuery('/api/keysystem/usual-run', { app });
  const { data: { usualRunMs, about, stepsRequired } = {}, error } = useQuery(isAppKnown ? path : undefined, (signal) =>
    callApi(usualRunSchema, path, { signal }),
  );
  const broken = findInvalidParam(query);
  const refusal = broken ? refusalOf(REFUSAL_OF_PARAM[broken]) : refusalIn(query);
  const of = stepsRequired ?? usualSteps(app);

  if (error instanceof ApiError && error.code === 'KS_APP') return <NoSteps app={app} reading={LOADING} />;

  return (
    <AppPage
      // The first render does not know a refusal. The page is then drawn anew, so that nothing has moved.
      key={refusal ? 'a refusal' : 'nothing'}
      app={app}
      about={about}
      compact
      heading={tDevice('begin.title')}
      lead={tDevice('begin.lead')}
    >
      <Split
        beside={<BeginPicture app={app} name={nameOfApp(app, about)} of={of} />}
        foot={
          <>
            {isSpecified(app) && (
              <Link className={css.noApp} to={appLinks(app).getFrom}>
                {tDevice('begin.noApp')}
              </Link>
            )}
            <div data-needs-script>
              <NoDevice>
                <PlatformIcon os={os} />
              </NoDevice>
            </div>
          </>
        }
      >
        {refusal && <RefusalNotice refusal={refusal} />}
        <ul className={css.facts}>
          <li>{tDevice('begin.free')}</li>
          <li>{of === undefined ? BLANK_DEVICE_ID : tDevice('begin.steps', { of })}</li>
          <li>{tDevice('begin.works')}</li>
          <li data-known={usualRunMs !== undefined}>
            <UsualTime ms={usualRunMs} />
          </li>
        </ul>
        <NoScript />
        <StickyAction inPlace>
          <Button wide onClick={() => void askForApp(app, about)}>
            {t('getkey.getKey')}
          </Button>
        </StickyAction>
      </Split>
    </AppPage>
  );
}
