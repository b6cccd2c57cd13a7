import { NeoPage } from '../../../../remotes/marketing/src/pages/neo-page.tsx';
import { asExported } from '../as-exported.tsx';

export default asExported(NeoPage, 'marketing');
