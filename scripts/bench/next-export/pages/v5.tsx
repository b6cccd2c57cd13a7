import { V5Page } from '../../../../remotes/marketing/src/pages/v5-page.tsx';
import { asExported } from '../as-exported.tsx';

export default asExported(V5Page, 'marketing');
