import { ResellersPage } from '../../../../remotes/marketing/src/pages/resellers-page.tsx';
import { asExported } from '../as-exported.tsx';

export default asExported(ResellersPage, 'marketing');
