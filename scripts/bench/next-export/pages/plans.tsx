import { PlansPage } from '../../../../remotes/marketing/src/pages/plans-page.tsx';
import { asExported } from '../as-exported.ts';

export default asExported(PlansPage, 'marketing');
