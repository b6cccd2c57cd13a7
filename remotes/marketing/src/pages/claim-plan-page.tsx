import { LaunchLink } from '@app/brand-ui/launch';
import { keepDevice, siteSettings } from '@app/platform';
import { ClaimLink } from '../features/mailed-link/claim-link.tsx';
import { EDITIONS } from '../features/plans/buy-plan.ts';
import { t } from '../words.ts';

export function ClaimPlanPage() {
  return (
    <ClaimLink
      launch={
        <LaunchLink href={siteSettings().launchUrl} getFrom={keepDevice(EDITIONS)}>
          {t('action.launch')}
        </LaunchLink>
      }
    />
  );
}
