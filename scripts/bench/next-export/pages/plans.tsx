import { PlansPage } from '../../../../remotes/marketing/src/pages/plans-page.tsx';
import { asExported } from '../as-exported.tsx';

export default asExported(PlansPage, 'marketing');
